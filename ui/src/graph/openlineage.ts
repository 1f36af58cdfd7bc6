import type { Scene } from "./scene";
import type { ApiNode } from "./types";

const SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent";
const PRODUCER = "urn:mainstem:page";

interface Sides {
  inputs: Set<ApiNode>;
  outputs: Set<ApiNode>;
}

/**
 * The graph as OpenLineage, one line for each job: read by another backend, it gives the same edges.
 * An edge that is gone, a stub and a group say nothing of what is, and are left out.
 */
export function graphAsOpenLineage(scene: Scene, now: string): string {
  const jobs = new Map<ApiNode, Sides>();
  const sidesOf = (job: ApiNode): Sides => {
    const known = jobs.get(job) ?? { inputs: new Set(), outputs: new Set() };
    jobs.set(job, known);
    return known;
  };
  for (const edge of scene.edges) {
    const [source, target] = [nodeOf(scene, edge.source), nodeOf(scene, edge.target)];
    if (!source || !target || edge.change === "removed") continue;
    if (source.type === "JOB") sidesOf(source).outputs.add(target);
    else if (target.type === "JOB") sidesOf(target).inputs.add(source);
    for (const job of edge.through ?? []) {
      sidesOf(job).inputs.add(source);
      sidesOf(job).outputs.add(target);
    }
  }
  return [...jobs].map(([job, sides]) => `${lineOf(job, sides, now)}\n`).join("");
}

function nodeOf(scene: Scene, id: string): ApiNode | undefined {
  const drawn = scene.nodes.get(id)?.drawn;
  return drawn?.type === "node" ? drawn.node : undefined;
}

const named = ({ namespace, name }: ApiNode) => ({ namespace, name });

function lineOf(job: ApiNode, { inputs, outputs }: Sides, now: string): string {
  return JSON.stringify({
    eventTime: job.updatedAt ?? now,
    producer: PRODUCER,
    schemaURL: SCHEMA,
    job: named(job),
    inputs: [...inputs].map(named),
    outputs: [...outputs].map(named),
  });
}
