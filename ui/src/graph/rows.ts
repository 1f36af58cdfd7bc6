import type { Scene } from "./scene";

/** One edge of the graph as a row: the table, the CSV and the JSON are made of these alone. */
export interface EdgeRow {
  source: string;
  sourceNamespace: string;
  sourceName: string;
  target: string;
  targetNamespace: string;
  targetName: string;
  evidence: string;
  confidence: string;
  change: string;
  rows: number | null;
  rowsPerMinute: number | null;
  /** The hidden jobs that stand between. */
  through: readonly string[];
}

const HEADINGS = [
  "source",
  "sourceNamespace",
  "sourceName",
  "target",
  "targetNamespace",
  "targetName",
  "evidence",
  "confidence",
  "change",
  "rows",
  "rowsPerMinute",
  "through",
] as const satisfies readonly (keyof EdgeRow)[];

/** Every edge between two nodes that are shown; stubs and groups stand for others and are none. */
export function edgeRows(scene: Scene): EdgeRow[] {
  return scene.edges.flatMap((edge) => {
    const [source, target] = [
      scene.nodes.get(edge.source)?.drawn,
      scene.nodes.get(edge.target)?.drawn,
    ];
    if (source?.type !== "node" || target?.type !== "node") return [];
    return [
      {
        source: edge.source,
        sourceNamespace: source.node.namespace,
        sourceName: source.node.name,
        target: edge.target,
        targetNamespace: target.node.namespace,
        targetName: target.node.name,
        evidence: edge.evidence,
        confidence: edge.confidence ?? "",
        change: edge.change ?? "",
        rows: edge.rows ?? null,
        rowsPerMinute: edge.rowsPerMinute ?? null,
        through: (edge.through ?? []).map((job) => job.id),
      },
    ];
  });
}

export function edgesAsCsv(rows: readonly EdgeRow[]): string {
  return csv(
    HEADINGS,
    rows.map((row) => HEADINGS.map((heading) => textOf(row[heading]))),
  );
}

const textOf = (value: EdgeRow[keyof EdgeRow]): string =>
  Array.isArray(value) ? value.join(" ") : String(value ?? "");

export function csv(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(cell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

// A spreadsheet runs what begins like a formula; an apostrophe makes it text.
function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export function graphAsJson(scene: Scene, root: string): string {
  const nodes = [...scene.nodes.values()].flatMap(({ drawn }) =>
    drawn.type === "node" ? [drawn.node] : [],
  );
  const columns = scene.columnLines.map(
    ({ source, sourceColumn, target, targetColumn, word, change }) => ({
      source,
      sourceColumn,
      target,
      targetColumn,
      word,
      ...(change === undefined ? {} : { change }),
    }),
  );
  return `${JSON.stringify({ root, nodes, edges: edgeRows(scene), columns }, null, 2)}\n`;
}
