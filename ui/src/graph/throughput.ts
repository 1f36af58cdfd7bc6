import type { ApiNode, Edge, Graph } from "./types";

/** Rows that went somewhere, and how fast while they go. */
export interface Moved {
  rows: number;
  perMinute: number | undefined;
}

/** What goes over some edges together; nothing where no producer counted. */
export function movedOver(
  edges: Iterable<Pick<Edge, "rows" | "rowsPerMinute">>,
): Moved | undefined {
  let sum: Moved | undefined;
  for (const { rows, rowsPerMinute } of edges) {
    if (rows === undefined || rows === null) continue;
    const pace = rowsPerMinute ?? undefined;
    const before = sum?.perMinute;
    sum = {
      rows: (sum?.rows ?? 0) + rows,
      perMinute: pace === undefined ? before : (before ?? 0) + pace,
    };
  }
  return sum;
}

/** What a job writes, or reads where it counts nothing else; what is written into a dataset. */
export function movedBy(
  graph: Graph,
  node: ApiNode,
  edgeOf: (source: string, target: string) => Edge | undefined,
): Moved | undefined {
  // With a neighbour missing the sum would be too small, and nobody could see that.
  const over = (ids: readonly string[], all: number, find: (id: string) => Edge | undefined) =>
    ids.length < all ? undefined : movedOver(ids.flatMap((id) => find(id) ?? []));
  const into = () => over(graph.up.get(node.id) ?? [], node.upstream, (id) => edgeOf(id, node.id));
  if (node.type === "DATASET") return into();
  const out = over(graph.down.get(node.id) ?? [], node.downstream, (id) => edgeOf(node.id, id));
  return out ?? into();
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function movedWords({ rows, perMinute }: Moved): string {
  if (perMinute === undefined) return `${short.format(rows)} ${rows === 1 ? "row" : "rows"}`;
  return `${short.format(perMinute)} rows/min`;
}
