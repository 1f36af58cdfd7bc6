import type { ColumnGraph, ColumnLink, Graph } from "./types";

/** The whole path of one column: what stays lit while the rest fades. */
export interface Lit {
  columns: ReadonlySet<string>;
  /** Lit columns by dataset, in the order of their distance. */
  byDataset: ReadonlyMap<string, readonly string[]>;
  links: readonly ColumnLink[];
}

export function litBy(answer: ColumnGraph): Lit {
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

/** The datasets of a lit path and the jobs that stand between two of them. */
export function litNodes(answer: ColumnGraph, graph: Graph): Set<string> {
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

/** How a column is made from another, in a word. */
export const hopWord = (summary: string): string => WORDS[summary] ?? summary.toLowerCase();
