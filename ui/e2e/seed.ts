/** OpenLineage events for tests, told through the API as any producer would. */

export interface SaidDataset {
  namespace: string;
  name: string;
  facets?: Record<string, unknown>;
  inputFacets?: Record<string, unknown>;
  outputFacets?: Record<string, unknown>;
}

export interface SaidRun {
  job: string;
  namespace?: string;
  type?: "START" | "RUNNING" | "COMPLETE" | "FAIL" | "ABORT";
  run?: string;
  time?: string;
  inputs?: SaidDataset[];
  outputs?: SaidDataset[];
  runFacets?: Record<string, unknown>;
  jobFacets?: Record<string, unknown>;
}

const PRODUCER = "https://example.com/e2e";
let runs = 0;

export const runId = (): string => `00000000-0000-4000-8000-${String(++runs).padStart(12, "0")}`;

export const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString();

const facet = (said: object): Record<string, unknown> => ({
  _producer: PRODUCER,
  _schemaURL: "https://openlineage.io/spec/1-0-0/OpenLineage.json",
  ...said,
});

export function event(said: SaidRun): object {
  const facets = (all: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, facet(one as object)]));
  const datasets = (all: SaidDataset[] = []) =>
    all.map((one) => ({ ...one, facets: facets(one.facets) }));
  return {
    eventType: said.type ?? "COMPLETE",
    eventTime: said.time ?? new Date().toISOString(),
    producer: PRODUCER,
    schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    run: { runId: said.run ?? runId(), facets: facets(said.runFacets) },
    job: {
      namespace: said.namespace ?? "spark://jobs",
      name: said.job,
      facets: facets(said.jobFacets),
    },
    inputs: datasets(said.inputs),
    outputs: datasets(said.outputs),
  };
}

export async function send(base: string, events: object[], token?: string): Promise<void> {
  for (let at = 0; at < events.length; at += 500) {
    const answer = await fetch(`${base}/api/v1/lineage/batch`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(events.slice(at, at + 500)),
    });
    const said = await answer.text();
    if (!answer.ok || /"status":\s*4\d\d/.test(said)) {
      throw new Error(`the server refused events: ${answer.status} ${said.slice(0, 400)}`);
    }
  }
}

type Field = string | { name: string; type: string; fields?: Field[] };

export const schema = (...fields: Field[]): Record<string, unknown> => ({
  schema: {
    fields: fields.map((one) => (typeof one === "string" ? { name: one, type: "string" } : one)),
  },
});

export interface Made {
  from: SaidDataset;
  field: string;
  how?: "IDENTITY" | "TRANSFORMATION" | "AGGREGATION";
  masking?: boolean;
}

export const columns = (made: Record<string, Made[]>): Record<string, unknown> => ({
  columnLineage: {
    fields: Object.fromEntries(
      Object.entries(made).map(([column, sources]) => [
        column,
        {
          inputFields: sources.map(({ from, field, how = "IDENTITY", masking = false }) => ({
            namespace: from.namespace,
            name: from.name,
            field,
            transformations: [{ type: "DIRECT", subtype: how, description: "", masking }],
          })),
        },
      ]),
    ),
  },
});

export const jobType = (integration: string): Record<string, unknown> => ({
  jobType: { processingType: "STREAMING", integration, jobType: "JOB" },
});

/** Which input of a job becomes which output. */
export const lineage = (...pairs: [SaidDataset, SaidDataset][]): Record<string, unknown> => ({
  lineage: {
    entries: pairs.map(([from, to]) => ({
      namespace: to.namespace,
      name: to.name,
      type: "DATASET",
      inputs: [{ namespace: from.namespace, name: from.name, type: "DATASET" }],
    })),
  },
});

/** A job that promised to report every so many seconds. */
export const promising = (seconds: number): Record<string, unknown> => ({
  jobType: {
    processingType: "STREAMING",
    integration: "SPARK",
    emissionPattern: { eventTrigger: "PERIODIC", windowDuration: seconds },
  },
});

export const rowsRead = (rowCount: number): Record<string, unknown> => ({
  inputStatistics: facet({ rowCount }),
});

export const owned = (...names: string[]): Record<string, unknown> => ({
  ownership: { owners: names.map((name) => ({ name })) },
});

export const tagged = (...names: string[]): Record<string, unknown> => ({
  tags: { tags: names.map((key) => ({ key, value: "true", source: "TEST" })) },
});
