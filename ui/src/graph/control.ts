import { bareNode } from "./bare-node";
import { edgeId, withNeighbours } from "./model";
import { formatNodeId } from "./node-id";
import type { ApiNode, Edge, Graph } from "./types";

/** A topic that a connector uses for itself, and what for. */
interface Control {
  topic: string;
  job: string;
  namespace: string;
  name: string;
  use: string;
}

function controlsOf(graph: Graph): Control[] {
  const found: Control[] = [];
  for (const node of graph.nodes.values()) {
    for (const { namespace, name, kind } of node.connector?.control ?? []) {
      if (namespace === null || name === null) continue;
      const topic = formatNodeId({ kind: "dataset", namespace, name });
      found.push({ topic, job: node.id, namespace, name, use: kind ?? "control" });
    }
  }
  return found;
}

/** The topics that connectors use for themselves: dead letters, offsets, schema history. */
export function controlTopics(graph: Graph): Map<string, string> {
  return new Map(controlsOf(graph).map((one) => [one.topic, one.use]));
}

/** The graph with those topics drawn in, each behind the connectors that use it. */
export function withControlTopics(graph: Graph): Graph {
  const nodes = new Map(graph.nodes);
  const edges = new Map(graph.edges);
  for (const one of controlsOf(graph)) {
    if (!nodes.has(one.topic)) nodes.set(one.topic, topicNode(one));
    const edge: Edge = {
      id: edgeId(one.job, one.topic),
      source: one.job,
      target: one.topic,
      evidence: "control",
      confidence: "likely",
    };
    if (!edges.has(edge.id)) edges.set(edge.id, edge);
  }
  return withNeighbours(nodes, edges);
}

function topicNode({ topic, namespace, name }: Control): ApiNode {
  const node = bareNode({ id: topic, type: "DATASET", kind: "TOPIC", namespace, name });
  return { ...node, upstream: 1 };
}
