import { parseNodeId } from "./node-id";
import type { ColumnDifference, ComparedColumns, ComparedLink, Graph } from "./types";

/** The whole path of one column: what stays lit while the rest fades. */
export interface Lit {
  columns: ReadonlySet<string>;
  /** Lit columns by dataset, in the order of their distance. */
  byDataset: ReadonlyMap<string, readonly string[]>;
  links: readonly ComparedLink[];
}

export function litBy(answer: ComparedColumns): Lit {
  const byDataset = new Map<string, string[]>();
  for (const one of answer.nodes) {
    const list = byDataset.get(one.dataset) ?? [];
    byDataset.set(one.dataset, [...list, one.field]);
  }
  return {
    columns: new Set(answer.nodes.map((one) => one.id)),
    byDataset,
    links: answer.edges,
  };
}

/** Columns at two times as one graph: each link says whether it came, went or is made otherwise. */
export function comparedColumns(said: ColumnDifference): ComparedColumns {
  const key = (link: ComparedLink) => `${link.source}\u0000${link.target}`;
  const removed = new Map(said.removed.map((link) => [key(link), link]));
  const added = said.added.map((link): ComparedLink => {
    const before = removed.get(key(link));
    removed.delete(key(link));
    if (!before) return { ...link, change: "added" };
    return { ...link, change: "changed", before: before.summary };
  });
  const gone = [...removed.values()].map((link): ComparedLink => ({ ...link, change: "removed" }));
  return { root: said.root, nodes: said.nodes, edges: [...said.kept, ...added, ...gone] };
}

/** The datasets of a lit path and the jobs that stand between two of them. */
export function litNodes(answer: ComparedColumns, graph: Graph): Set<string> {
  const datasetOf = new Map(answer.nodes.map((one) => [one.id, one.dataset]));
  const lit = new Set(datasetOf.values());
  for (const link of answer.edges) {
    const [source, target] = [datasetOf.get(link.source), datasetOf.get(link.target)];
    if (source === undefined || target === undefined) continue;
    const writers = new Set(graph.up.get(target) ?? []);
    for (const job of graph.down.get(source) ?? []) if (writers.has(job)) lit.add(job);
  }
  return lit;
}

const WORDS: Record<string, string> = {
  IDENTITY: "identity",
  TRANSFORMATION: "transformed",
  AGGREGATION: "aggregated",
  MASKED: "masked",
  INDIRECT: "indirect",
  UNKNOWN: "not told how",
};

/** How a column is made from another, in a word; where two times are compared, what it was too. */
export function linkWord(link: ComparedLink): string {
  const word = wordOf(link, link.summary);
  const before = link.before === undefined ? word : wordOf(link, link.before);
  return before === word ? word : `${before} → ${word}`;
}

function wordOf({ source, target }: ComparedLink, summary: string): string {
  if (summary === "IDENTITY" && ownName(source) !== ownName(target)) return "renamed";
  return WORDS[summary] ?? summary.toLowerCase();
}

/** A column's name without what it is nested in. */
const ownName = (column: string): string | undefined =>
  parseNodeId(column)?.field?.split(".").at(-1);
