import { datasetOfField } from "./node-id";
import type { ComparedColumns, Side } from "./types";
import type { View } from "./view";

/** One question to the server: a walk from a node to one side. */
export interface Walk {
  node: string;
  direction: "upstream" | "downstream";
  depth: number;
  asOf?: string;
}

const DIRECTIONS = { up: "upstream", down: "downstream" } as const;

/** The walks that a view needs: each side is asked for alone, so that neither starves the other. */
export function walksOf(view: View, lit?: ComparedColumns): Walk[] {
  const walks = new Map<string, Walk>();
  const ask = (node: string, side: Side, depth: number) => {
    const key = `${side}:${node}`;
    const known = walks.get(key);
    if (known && known.depth >= depth) return;
    const walk: Walk = { node, direction: DIRECTIONS[side], depth };
    walks.set(key, view.asOf === undefined ? walk : { ...walk, asOf: view.asOf });
  };
  ask(view.node, "up", view.up);
  ask(view.node, "down", view.down);
  for (const key of view.open) {
    const [side, node] = [key.startsWith("up:") ? "up" : "down", key.replace(/^(up|down):/, "")];
    ask(node, side as Side, 1);
  }
  const dataset = view.column === undefined ? undefined : datasetOfField(view.column);
  const farthest = hopsOf(lit);
  if (dataset !== undefined && farthest > 0) {
    ask(dataset, "up", farthest);
    ask(dataset, "down", farthest);
  }
  return [...walks.values()];
}

/** How many hops the farthest lit column is away: between two datasets stands a job. */
export const hopsOf = (lit: ComparedColumns | undefined): number =>
  2 * Math.max(0, ...(lit?.nodes ?? []).map((one) => one.distance));
