import { type Confidence, isLessSure, leastSure, POSSIBLE } from "./confidence";
import { edgeId, withNeighbours } from "./model";
import type { ApiNode, Change, Edge, Graph, Pair, Side } from "./types";

/** More lines than these would hide more than the jobs did; the widest jobs are kept then. */
export const MOST_JOINED = 4000;

export interface Joined {
  /** Datasets, joined where data goes from one to the other, and the jobs that are kept. */
  graph: Graph;
  hidden: ReadonlySet<string>;
  /** Jobs that stay because of what is drawn in their place otherwise. */
  tooWide: ReadonlySet<string>;
}

/** The graph without its jobs: what a job makes of a dataset stands right behind that. */
export function withoutJobs(
  graph: Graph,
  kept: ReadonlySet<string>,
  fits: (job: ApiNode) => boolean,
): Joined {
  const jobs = [...graph.nodes.values()].filter((one) => one.type === "JOB" && !kept.has(one.id));
  const { hidden, tooWide } = chooseHidden(graph, jobs);
  const edges = new Map<string, Edge>();
  for (const edge of graph.edges.values()) {
    if (!hidden.has(edge.source) && !hidden.has(edge.target)) edges.set(edge.id, edge);
  }
  for (const job of jobs) {
    if (!hidden.has(job.id) || !fits(job)) continue;
    for (const way of waysThrough(graph, job.id)) joinAlong(graph, edges, job, way);
  }
  const shown = [...graph.nodes].filter(([id]) => !hidden.has(id));
  const joined = withNeighbours(new Map(shown), edges);
  const nodes = new Map(shown.map(([id, node]) => [id, counted(graph, joined, hidden, node)]));
  return { graph: { ...joined, nodes }, hidden, tooWide };
}

function chooseHidden(
  graph: Graph,
  jobs: readonly ApiNode[],
): { hidden: Set<string>; tooWide: Set<string> } {
  const width = (id: string) =>
    graph.pairs.get(id)?.length ??
    beside(graph, "up", id).length * beside(graph, "down", id).length;
  const [hidden, tooWide] = [new Set<string>(), new Set<string>()];
  let lines = 0;
  const narrowFirst = jobs.map(({ id }) => [width(id), id] as const).sort(([a], [b]) => a - b);
  for (const [count, id] of narrowFirst) {
    lines += count;
    (lines <= MOST_JOINED ? hidden : tooWide).add(id);
  }
  return { hidden, tooWide };
}

const beside = (graph: Graph, side: Side, id: string): readonly string[] =>
  graph[side].get(id) ?? [];

/** Which input becomes which output: as the job tells it, else each may become each. */
function waysThrough(graph: Graph, job: string): Pair[] {
  const each = () =>
    beside(graph, "up", job).flatMap((source) =>
      beside(graph, "down", job).map((target) => ({ source, target })),
    );
  return (graph.pairs.get(job) ?? each()).filter(
    ({ source, target }) =>
      source !== target &&
      graph.edges.has(edgeId(source, job)) &&
      graph.edges.has(edgeId(job, target)),
  );
}

function joinAlong(
  graph: Graph,
  edges: Map<string, Edge>,
  job: ApiNode,
  { source, target }: Pair,
): void {
  const id = edgeId(source, target);
  const [into, out] = [
    graph.edges.get(edgeId(source, job.id)) as Edge,
    graph.edges.get(edgeId(job.id, target)) as Edge,
  ];
  // Of several inputs and outputs nobody knows which meet, unless it is told.
  const isSure = graph.pairs.has(job.id) || job.upstream <= 1 || job.downstream <= 1;
  const known: Known = isSure
    ? {
        evidence: into.evidence === out.evidence ? out.evidence : "reported",
        confidence: leastSure(into.confidence ?? "unknown", out.confidence ?? "unknown"),
      }
    : { evidence: POSSIBLE, confidence: POSSIBLE };
  const change =
    [into.change, out.change].find((one) => one === "removed") ?? into.change ?? out.change;
  const there = edges.get(id);
  edges.set(id, {
    id,
    source,
    target,
    ...(there ? surer(there, known) : known),
    through: [...(there?.through ?? []), job],
    ...changed(there ? agreed(there.change, change) : change),
  });
}

interface Known {
  evidence: string;
  confidence: Confidence;
}

/** Where several jobs lead from one dataset to the other, the surest of them counts. */
function surer({ evidence, confidence = "unknown" }: Edge, other: Known): Known {
  return isLessSure(confidence, other.confidence) ? other : { evidence, confidence };
}

const agreed = (one: Change | undefined, other: Change | undefined) =>
  one === other ? one : undefined;

const changed = (change: Change | undefined) => (change === undefined ? {} : { change });

/** A node whose neighbours are counted as they are now; what is not loaded is a job, or behind one. */
function counted(graph: Graph, joined: Graph, hidden: ReadonlySet<string>, node: ApiNode): ApiNode {
  const count = (side: Side) => {
    const total = (one: ApiNode) => (side === "up" ? one.upstream : one.downstream);
    const known = beside(graph, side, node.id);
    let missing = Math.max(0, total(node) - known.length);
    for (const id of known) {
      const job = graph.nodes.get(id);
      if (!job || !hidden.has(id) || graph.pairs.has(id)) continue;
      missing += Math.max(0, total(job) - beside(graph, side, id).length);
    }
    return beside(joined, side, node.id).length + missing;
  };
  return { ...node, upstream: count("up"), downstream: count("down") };
}
