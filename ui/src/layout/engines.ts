import type ElkApi from "elkjs/lib/elk.bundled.js";
import type { CarefulEngine, LayoutTask, Places } from "@/graph/placing";
import { GAP } from "@/graph/placing";

export type LayOut = (task: LayoutTask) => Promise<Places>;

/** Layouts that take their time; each is loaded and made ready only when it is asked for. */
export const ENGINES: Record<CarefulEngine, () => Promise<LayOut>> = {
  elk: async () => {
    elk ??= import("elkjs/lib/elk.bundled.js").then(({ default: Elk }) => new Elk());
    const ready = await elk;
    return (task) => placeWithElk(ready, task);
  },
  dagre: async () => {
    const ready = await import("@dagrejs/dagre");
    return async (task) => placeWithDagre(ready, task);
  },
};

/** Kept: to make one takes longer than most layouts do. */
let elk: Promise<InstanceType<typeof ElkApi>> | undefined;

async function placeWithElk(
  engine: InstanceType<typeof ElkApi>,
  task: LayoutTask,
): Promise<Places> {
  const laid = await engine.layout({
    id: "graph",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": task.flow === "LR" ? "RIGHT" : "DOWN",
      "elk.layered.spacing.nodeNodeBetweenLayers": String(GAP.layer),
      "elk.spacing.nodeNode": String(GAP.node),
      "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
      "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
      "elk.separateConnectedComponents": "true",
    },
    children: task.boxes.map(({ id, width, height }) => ({ id, width, height })),
    edges: task.lines.map(({ id, source, target }) => ({
      id,
      sources: [source],
      targets: [target],
    })),
  });
  const places = (laid.children ?? []).map((one) => [one.id, { x: one.x ?? 0, y: one.y ?? 0 }]);
  return Object.fromEntries(places) as Places;
}

function placeWithDagre(
  { Graph, layout }: typeof import("@dagrejs/dagre"),
  task: LayoutTask,
): Places {
  const graph = new Graph();
  graph.setGraph({
    rankdir: task.flow,
    ranker: "tight-tree",
    ranksep: GAP.layer,
    nodesep: GAP.node,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of task.boxes) graph.setNode(id, { width, height });
  for (const { source, target } of task.lines) graph.setEdge(source, target);
  layout(graph);
  const places = task.boxes.map((box) => {
    const at = graph.node(box.id) as unknown as { x: number; y: number };
    return [box.id, { x: at.x - box.width / 2, y: at.y - box.height / 2 }];
  });
  return Object.fromEntries(places) as Places;
}
