import type { ApiEdge, ApiNode, Change, Edge, Graph, Pair, Pairs } from "./types";

export interface Answer {
  nodes: readonly ApiNode[];
  edges: readonly (ApiEdge & { change?: Change })[];
  pairs?: Readonly<Record<string, readonly Pair[]>>;
}

// A blank cannot be told from one in a name; U+0000 is in none, because the server refuses it.
export const edgeId = (source: string, target: string): string => `${source}\u0000${target}`;

/** One graph of several answers; the first answer that knows a node or an edge describes it. */
export function merge(answers: Iterable<Answer>): Graph {
  const nodes = new Map<string, ApiNode>();
  const edges = new Map<string, Edge>();
  const pairs = new Map<string, Pair[]>();
  for (const answer of answers) {
    for (const node of answer.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
    for (const edge of answer.edges) {
      const id = edgeId(edge.source, edge.target);
      if (!edges.has(id)) edges.set(id, { ...edge, id });
    }
    // Each answer tells the pairs among its own nodes alone.
    for (const [job, told] of Object.entries(answer.pairs ?? {})) {
      const known = new Map<string, Pair>();
      for (const pair of [...(pairs.get(job) ?? []), ...told])
        known.set(edgeId(pair.source, pair.target), pair);
      pairs.set(job, [...known.values()]);
    }
  }
  return withNeighbours(nodes, edges, pairs);
}

export function withNeighbours(
  nodes: ReadonlyMap<string, ApiNode>,
  edges: ReadonlyMap<string, Edge>,
  pairs: Pairs = new Map(),
): Graph {
  const up = new Map<string, string[]>();
  const down = new Map<string, string[]>();
  for (const edge of edges.values()) {
    if (!nodes.has(edge.source) || !nodes.has(edge.target)) continue;
    push(down, edge.source, edge.target);
    push(up, edge.target, edge.source);
  }
  return { nodes, edges, up, down, pairs };
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Everything that a walk from some nodes reaches on one side, the start included. */
export function reach(
  graph: Graph,
  start: Iterable<string>,
  side: "up" | "down",
  within?: ReadonlySet<string>,
): Set<string> {
  const seen = new Set(start);
  const queue = [...seen];
  for (let at = 0; at < queue.length; at++) {
    for (const next of graph[side].get(queue[at] as string) ?? []) {
      if (seen.has(next) || (within && !within.has(next))) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return seen;
}
