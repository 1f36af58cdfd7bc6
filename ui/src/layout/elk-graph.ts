import type { ELK, ELKConstructorArguments, ElkNode } from "elkjs/lib/elk-api.js";
import { GAP, type LayoutTask } from "../graph/placing.ts";

/** A layout task in ELK's words. What is asked for here is all of ELK that the page brings along. */
export const elkGraph = (task: LayoutTask): ElkNode => ({
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

/** Elk with a worker of its own that lives in the thread that made it: the page has one already. */
export const elkWith = (
  Elk: new (said: ELKConstructorArguments) => ELK,
  Own: new () => Worker,
): ELK => new Elk({ algorithms: ["layered"], workerFactory: () => new Own() });
