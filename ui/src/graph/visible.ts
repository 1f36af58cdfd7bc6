import { controlTopics, withControlTopics } from "./control";
import type { Drawing, DrawnEdge, DrawnNode } from "./drawn";
import { type Joined, withoutJobs } from "./joined";
import { edgeId, reach } from "./model";
import { rollUp } from "./roll-up";
import { stateOf } from "./state";
import { movedBy } from "./throughput";
import { type ApiNode, type Graph, SIDES, type Side } from "./types";
import { sideKey, type View } from "./view";

/** Neighbours that one side of a node shows at once; the rest stands behind a counted stub. */
export const FAN = 25;
/** Beyond so many nodes the graph is rolled up by namespace. */
export const MOST_DRAWN = 3000;

/** What a view shows of a graph. `also` are nodes on a lit path, shown whatever the depth. */
export function draw(loaded: Graph, view: View, also: ReadonlySet<string> = new Set()): Drawing {
  const control = controlTopics(loaded);
  const joined = view.hideJobs ? hideJobs(loaded, view) : undefined;
  const graph = joined?.graph ?? (view.control ? withControlTopics(loaded) : loaded);
  const kept = (id: string) => view.control || !control.has(id) || id === view.node || also.has(id);
  const opened = openedBy(graph, view, kept);
  for (const id of also) if (graph.nodes.has(id)) opened.shown.add(id);
  const between =
    view.only === undefined ? undefined : pathBetween(graph, opened.shown, view.node, view.only);
  const passing = [...opened.shown].filter((id) => !between || between.has(id));
  const matching = passing.filter(
    (id) => id === view.node || matches(loaded, graph.nodes.get(id), view),
  );
  const shown = new Set(matching);
  const drawing = {
    ...drawnOf(graph, view, shown, opened, control, between === undefined),
    hiddenControl: view.control ? 0 : control.size,
    filteredOut: passing.length - matching.length,
    ...countJobs(loaded, joined, shown),
    isRolledUp: false,
  };
  return shown.size > MOST_DRAWN ? rollUp(drawing, view.node) : drawing;
}

function hideJobs(graph: Graph, view: View): Joined {
  const kept = new Set([view.node, ...(view.only === undefined ? [] : [view.only])]);
  return withoutJobs(graph, kept, (job) => isInState(job, view));
}

function countJobs(
  loaded: Graph,
  joined: Joined | undefined,
  shown: ReadonlySet<string>,
): Pick<Drawing, "hiddenJobs" | "tooWide"> {
  const touches = (job: string) =>
    SIDES.some((side) => loaded[side].get(job)?.some((one) => shown.has(one)));
  return {
    hiddenJobs: [...(joined?.hidden ?? [])].filter(touches).length,
    tooWide: [...(joined?.tooWide ?? [])].filter((one) => shown.has(one)).length,
  };
}

interface Opened {
  shown: Set<string>;
  /** Sides whose neighbours are shown. */
  sides: Set<string>;
  stubs: { of: string; side: Side; count: number }[];
}

function openedBy(graph: Graph, view: View, kept: (id: string) => boolean): Opened {
  const opened: Opened = { shown: new Set(), sides: new Set(), stubs: [] };
  if (!graph.nodes.has(view.node)) return opened;
  opened.shown.add(view.node);
  const open = (id: string, side: Side): string[] => {
    const key = sideKey(side, id);
    if (view.shut.includes(key) || opened.sides.has(key)) return [];
    opened.sides.add(key);
    const { first, left } = neighboursOf(
      graph,
      id,
      side,
      FAN + (view.more[key] ?? 0),
      opened.shown,
      kept,
    );
    if (left > 0) opened.stubs.push({ of: id, side, count: left });
    const fresh = first.filter((one) => !opened.shown.has(one));
    for (const one of fresh) opened.shown.add(one);
    return first;
  };
  for (const side of SIDES) {
    let level = [view.node];
    const seen = new Set(level);
    for (let hop = 0; hop < view[side] && level.length > 0; hop++) {
      level = level.flatMap((id) => open(id, side)).filter((id) => !seen.has(id));
      level = [...new Set(level)];
      for (const id of level) seen.add(id);
    }
  }
  openByHand(view, opened, open);
  return opened;
}

/** A side opened by hand may show a node whose side was opened by hand too. */
function openByHand(view: View, opened: Opened, open: (id: string, side: Side) => string[]): void {
  const waiting = new Set(view.open);
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size;
    for (const key of waiting) {
      const side: Side = key.startsWith("up:") ? "up" : "down";
      const id = key.slice(side.length + 1);
      if (!opened.shown.has(id)) continue;
      waiting.delete(key);
      open(id, side);
    }
  }
}

function neighboursOf(
  graph: Graph,
  id: string,
  side: Side,
  most: number,
  shown: ReadonlySet<string>,
  kept: (id: string) => boolean,
): { first: string[]; left: number } {
  const loaded = graph[side].get(id) ?? [];
  const all = loaded.filter(kept);
  const total = Math.max(totalOf(graph.nodes.get(id), side), loaded.length);
  const left = total - (loaded.length - all.length);
  if (all.length <= most) return { first: all, left: left - all.length };
  const weight = (one: string) =>
    shown.has(one) ? 0 : graph.nodes.get(one)?.state === "FAILED" ? 1 : 2;
  const first = all
    .map((one) => [weight(one), one] as const)
    .sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1))
    .slice(0, most)
    .map(([, one]) => one);
  return { first, left: left - first.length };
}

const totalOf = (node: ApiNode | undefined, side: Side): number =>
  (side === "up" ? node?.upstream : node?.downstream) ?? 0;

function matches(loaded: Graph, node: ApiNode | undefined, view: View): boolean {
  if (!node) return false;
  if (view.ns !== undefined && node.namespace !== view.ns) return false;
  if (view.kind !== undefined && node.kind !== view.kind) return false;
  if (view.tag !== undefined && !node.tags.includes(view.tag)) return false;
  return touchesPlace(loaded, node, view) && isInState(node, view);
}

const isInState = (node: ApiNode, view: View): boolean =>
  view.state === undefined || node.type !== "JOB" || stateOf(node)?.code === view.state;

/** Whether a node lies in the platform and cluster that are asked for, or right beside one that does. */
function touchesPlace(loaded: Graph, node: ApiNode, { platform, cluster }: View): boolean {
  if (platform === undefined && cluster === undefined) return true;
  const liesThere = (one: ApiNode | undefined) =>
    one !== undefined &&
    (platform === undefined || one.platform === platform) &&
    (cluster === undefined || one.cluster === cluster);
  const beside = SIDES.flatMap((side) => loaded[side].get(node.id) ?? []);
  return liesThere(node) || beside.some((id) => liesThere(loaded.nodes.get(id)));
}

/** What lies on a way between two nodes; where no way leads along the data, a shortest one. */
export function pathBetween(
  graph: Graph,
  shown: ReadonlySet<string>,
  from: string,
  to: string,
): Set<string> {
  for (const [source, target] of [
    [from, to],
    [to, from],
  ] as const) {
    const after = reach(graph, [source], "down", shown);
    if (!after.has(target)) continue;
    const before = reach(graph, [target], "up", shown);
    return new Set([...after].filter((id) => before.has(id)));
  }
  return new Set([from, to, ...anyWay(graph, shown, from, to)]);
}

function anyWay(graph: Graph, shown: ReadonlySet<string>, from: string, to: string): string[] {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  const queue = [from];
  for (let at = 0; at < queue.length && !cameFrom.has(to); at++) {
    const id = queue[at] as string;
    for (const next of [...(graph.up.get(id) ?? []), ...(graph.down.get(id) ?? [])]) {
      if (cameFrom.has(next) || !shown.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  const way: string[] = [];
  for (let at = cameFrom.has(to) ? to : undefined; at !== undefined; at = cameFrom.get(at))
    way.push(at);
  return way;
}

function drawnOf(
  graph: Graph,
  view: View,
  shown: ReadonlySet<string>,
  opened: Opened,
  control: ReadonlyMap<string, string>,
  withStubs: boolean,
): Pick<Drawing, "nodes" | "edges"> {
  const edges: DrawnEdge[] = [];
  for (const edge of graph.edges.values()) {
    if (shown.has(edge.source) && shown.has(edge.target)) edges.push({ ...edge, count: 1 });
  }
  const isOpen = (id: string, side: Side) => opened.sides.has(sideKey(side, id));
  const hidden = (id: string, side: Side) => {
    const beside = (graph[side].get(id) ?? []).filter((one) => shown.has(one)).length;
    return Math.max(0, totalOf(graph.nodes.get(id), side) - beside);
  };
  const nodes: DrawnNode[] = [...shown].map((id) => {
    const node = graph.nodes.get(id) as ApiNode;
    const use = view.control ? control.get(id) : undefined;
    const moved = movedBy(graph, node, (from, to) => graph.edges.get(edgeId(from, to)));
    return {
      type: "node",
      id,
      node,
      hidden: { up: hidden(id, "up"), down: hidden(id, "down") },
      isOpen: { up: isOpen(id, "up"), down: isOpen(id, "down") },
      ...(use === undefined ? {} : { control: use }),
      ...(moved === undefined ? {} : { moved }),
    };
  });
  for (const { of, side, count } of withStubs ? opened.stubs : []) {
    if (!shown.has(of)) continue;
    const id = `stub:${sideKey(side, of)}`;
    nodes.push({ type: "stub", id, of, side, count });
    const [source, target] = side === "up" ? [id, of] : [of, id];
    edges.push({ id: `edge:${id}`, source, target, evidence: "stub", count });
  }
  return { nodes, edges };
}
