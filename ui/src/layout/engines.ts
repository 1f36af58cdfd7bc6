import type { ELK } from "elkjs/lib/elk-api.js";
import type { CarefulEngine, LayoutTask, Places } from "@/graph/placing";
import { GAP } from "@/graph/placing";
import { elkGraph, elkWith } from "./elk-graph";

export type LayOut = (task: LayoutTask) => Promise<Places>;

/** Layouts that take their time; each is loaded and made ready only when it is asked for. */
export const ENGINES: Record<CarefulEngine, () => Promise<LayOut>> = {
  elk: async () => {
    elk ??= loadElk();
    const ready = await elk;
    return (task) => placeWithElk(ready, task);
  },
  dagre: async () => {
    const ready = await import("@dagrejs/dagre");
    return async (task) => placeWithDagre(ready, task);
  },
};

/** Kept: to make one takes longer than most layouts do. */
let elk: Promise<ELK> | undefined;

async function loadElk(): Promise<ELK> {
  const [{ default: Elk }, { default: parts }] = await Promise.all([
    import("elkjs/lib/elk-api.js"),
    import("elkjs/lib/elk-worker.min.js"),
  ]);
  return elkWith(Elk, parts.Worker);
}

async function placeWithElk(engine: ELK, task: LayoutTask): Promise<Places> {
  const { children = [] } = await engine.layout(elkGraph(task));
  const places = children.map((one) => [one.id, { x: one.x ?? 0, y: one.y ?? 0 }]);
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
