import { datasetOfField } from "./node-id";
import type { ComparedColumns, Side } from "./types";
import type { View } from "./view";

/** One question to the server: a walk from a node to one side. */
export interface Walk {
  node: string;
  direction: "upstream" | "downstream";
  depth: number;
  asOf?: string;
  pairs?: boolean;
}

const DIRECTIONS = { up: "upstream", down: "downstream" } as const;

/** The walks that a view needs: each side is asked for alone, so that neither starves the other. */
export function walksOf(view: View, lit?: ComparedColumns): Walk[] {
  const walks = new Map<string, Walk>();
  const ask = (node: string, side: Side, depth: number) => {
    const key = `${side}:${node}`;
    const known = walks.get(key);
    if (known && known.depth >= depth) return;
    walks.set(key, {
      node,
      direction: DIRECTIONS[side],
      depth,
      ...(view.asOf === undefined ? {} : { asOf: view.asOf }),
      ...(view.hideJobs ? { pairs: true } : {}),
    });
  };
  ask(view.node, "up", hopsAsked(view, view.node, view.up));
  ask(view.node, "down", hopsAsked(view, view.node, view.down));
  for (const key of view.open) {
    const [side, node] = [key.startsWith("up:") ? "up" : "down", key.replace(/^(up|down):/, "")];
    ask(node, side as Side, hopsAsked(view, node, 1));
  }
  const dataset = view.column === undefined ? undefined : datasetOfField(view.column);
  const farthest = hopsOf(lit);
  if (dataset !== undefined && farthest > 0) {
    ask(dataset, "up", farthest);
    ask(dataset, "down", farthest);
  }
  return [...walks.values()];
}

/** Where the server draws what a view begins with, for other pages to show. */
export function pictureAddress(
  base: URL,
  view: Pick<View, "node" | "up" | "down" | "asOf">,
): string {
  const address = new URL("api/v2/lineage.svg", base);
  address.searchParams.set("node", view.node);
  address.searchParams.set("up", String(view.up));
  address.searchParams.set("down", String(view.down));
  if (view.asOf !== undefined) address.searchParams.set("asOf", view.asOf);
  return address.href;
}

/** Hops that the server counts for those that a reader sees: a hidden job is one of them. */
export function hopsAsked(view: View, node: string, hops: number): number {
  if (!view.hideJobs || hops === 0) return hops;
  return node.startsWith("job:") ? 2 * hops - 1 : 2 * hops;
}

/** How many hops the farthest lit column is away: between two datasets stands a job. */
export const hopsOf = (lit: ComparedColumns | undefined): number =>
  2 * Math.max(0, ...(lit?.nodes ?? []).map((one) => one.distance));
