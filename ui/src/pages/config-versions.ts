import type { JobVersion, NamedDataset, Run } from "@/api/marquez";
import type { Version } from "@/components/versions";
import { redact } from "@/text/redact";

/** What changes from look to look although nobody changed the configuration. */
const PASSING = new Set([
  "_producer",
  "_schemaURL",
  "tasks",
  "state",
  "degraded",
  "firstRecordSeen",
  "notes",
]);

/** The versions that runs tell of, the newest first: a connector's own, or the job's. */
export function configVersions(runs: readonly Run[], versions: readonly JobVersion[]): Version[] {
  const ends = new Map(versions.map((one) => [one.version, one]));
  const found = new Map<string, Version>();
  for (const run of runs) {
    const facet = run.facets.mainstem_connector as Record<string, unknown> | undefined;
    const jobVersion = run.jobVersion?.version;
    const id = typeof facet?.configVersion === "string" ? facet.configVersion : jobVersion;
    if (id === undefined) continue;
    const since = run.startedAt ?? run.createdAt;
    const known = found.get(id);
    // Runs come newest first: the first tells the version best, the last tells since when.
    if (known) known.since = since;
    else found.set(id, { id, since, text: textOf(facet, ends.get(jobVersion ?? "")) });
  }
  return [...found.values()];
}

function textOf(
  facet: Record<string, unknown> | undefined,
  version: JobVersion | undefined,
): string {
  const lasting = Object.entries(facet ?? {}).filter(([key]) => !PASSING.has(key));
  const told = {
    ...Object.fromEntries(lasting),
    reads: namesOf(version?.inputs),
    writes: namesOf(version?.outputs),
    ...(version?.location ? { location: version.location } : {}),
  };
  return redact(JSON.stringify(told, null, 2));
}

const namesOf = (datasets: readonly NamedDataset[] | undefined): string[] =>
  (datasets ?? []).map((one) => `${one.namespace} ${one.name}`).sort();
