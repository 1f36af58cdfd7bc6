import * as fc from "fast-check";
import { bareNode } from "./bare-node";
import { type Answer, merge } from "./model";
import type { ApiNode, Graph, Pair } from "./types";

/** Nodes and graphs for tests. */
export function nodeOf(id: string, said: Partial<ApiNode> = {}): ApiNode {
  const isJob = id.startsWith("job:");
  const [type, kind] = isJob ? (["JOB", "SPARK"] as const) : (["DATASET", "TABLE"] as const);
  return { ...bareNode({ id, type, kind, namespace: "ns", name: id }), ...said };
}

type Connector = NonNullable<ApiNode["connector"]>;

export const connectorOf = (said: Partial<Connector>): Connector => ({
  connectorClass: "Sink",
  tasks: 1,
  tasksRunning: 1,
  degraded: null,
  control: [],
  ...said,
});

export function answerOf(
  pairs: readonly (readonly [string, string])[],
  said: Record<string, Partial<ApiNode>> = {},
): Answer {
  const ids = [...new Set(pairs.flat())];
  return {
    nodes: ids.map((id) =>
      nodeOf(id, {
        upstream: new Set(pairs.filter(([, to]) => to === id).map(([from]) => from)).size,
        downstream: new Set(pairs.filter(([from]) => from === id).map(([, to]) => to)).size,
        ...said[id],
      }),
    ),
    edges: pairs.map(([source, target]) => ({
      source,
      target,
      evidence: "reported",
      confidence: "certain",
      rows: null,
      rowsPerMinute: null,
    })),
  };
}

/** The same graph with a word on which input of a job becomes which output. */
export const telling = (graph: Graph, pairs: Record<string, Pair[]>): Graph => ({
  ...graph,
  pairs: new Map(Object.entries(pairs)),
});

export const graphOf = (
  pairs: readonly (readonly [string, string])[],
  said: Record<string, Partial<ApiNode>> = {},
): Graph => merge([answerOf(pairs, said)]);

/** Any graph of a few nodes, jobs and datasets in turn, loops and all. */
export const anyGraph: fc.Arbitrary<{ graph: Graph; ids: string[] }> = fc
  .uniqueArray(fc.tuple(fc.nat(11), fc.nat(11), fc.boolean()), {
    minLength: 1,
    maxLength: 30,
    selector: ([job, dataset, isWritten]) => `${job} ${dataset} ${isWritten}`,
  })
  .map((links) => {
    const pairs = links.map(([job, dataset, isWritten]) => {
      const ends = [`job:ns:${job}`, `dataset:ns:${dataset}`] as const;
      return isWritten ? ends : ([ends[1], ends[0]] as const);
    });
    const graph = graphOf(pairs);
    return { graph, ids: [...graph.nodes.keys()] };
  });
