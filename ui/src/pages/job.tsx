import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Job, NamedDataset, Run } from "@/api/marquez";
import { jobQuery, jobVersionsQuery, runsQuery } from "@/api/queries";
import { Age } from "@/components/age";
import { Facets } from "@/components/facets";
import { Chips, Facts } from "@/components/facts";
import { Kind } from "@/components/kind-icon";
import { Empty, Failed, Loading } from "@/components/messages";
import { NodeLink } from "@/components/node-link";
import { PageHead } from "@/components/page-head";
import { RunTimeline } from "@/components/run-timeline";
import { Section } from "@/components/section";
import { RunBadge } from "@/components/state-badge";
import { Versions } from "@/components/versions";
import { formatNodeId, type NodeId, parseNodeId } from "@/graph/node-id";
import { safeLink } from "@/text/link";
import { configVersions } from "./config-versions";

const route = getRouteApi("/job");

export function JobPage() {
  const { node } = route.useSearch();
  const parsed = parseNodeId(node);
  if (parsed?.kind !== "job") return <Empty title="This address names no job." />;
  return <JobOf id={node} parsed={parsed} />;
}

function JobOf({ id, parsed: { namespace, name } }: { id: string; parsed: NodeId }) {
  const job = useQuery(jobQuery(namespace, name));
  const runs = useQuery(runsQuery(namespace, name));
  if (job.isPending) return <Loading what="the job" />;
  if (job.error) return <Failed what="The job" error={job.error} again={() => job.refetch()} />;
  const latest = runs.data?.runs[0] ?? job.data.latestRun;
  return (
    <div className="mx-auto max-w-6xl space-y-4 p-4">
      <PageHead
        id={id}
        name={name}
        namespace={namespace}
        kind={
          <Kind node={{ type: "JOB", kind: job.data.labels.at(-1) ?? "JOB", connector: null }} />
        }
        state={latest && <RunBadge state={latest.state} stale={latest.stale} />}
      />
      <div className="grid gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="min-w-0 space-y-4">
          <Section
            title="Runs"
            beside={
              runs.data && (
                <span className="text-pale">{runs.data.totalCount.toLocaleString()} in all</span>
              )
            }
          >
            {runs.isPending && <Loading what="the runs" />}
            {runs.error && (
              <Failed what="The runs" error={runs.error} again={() => runs.refetch()} />
            )}
            {runs.data && <RunTimeline runs={runs.data.runs} />}
          </Section>
          <ConfigSection namespace={namespace} name={name} runs={runs.data?.runs ?? []} />
        </div>
        <div className="min-w-0 space-y-4">
          <About job={job.data} />
          <Ends title="Reads" datasets={job.data.inputs} />
          <Ends title="Writes" datasets={job.data.outputs} />
          <Section title="Job facets">
            <Facets facets={job.data.facets} />
          </Section>
          {latest && (
            <Section title="Facets of the latest run">
              <Facets facets={latest.facets} />
            </Section>
          )}
        </div>
      </div>
    </div>
  );
}

function About({ job }: { job: Job }) {
  const link = safeLink(job.location);
  return (
    <Section title="About">
      <div className="p-3">
        <Facts
          facts={[
            ["Description", job.description],
            ["Type", job.type.toLowerCase()],
            ["Owners", (job.owners?.length ?? 0) > 0 && <Chips texts={job.owners ?? []} />],
            ["Tags", job.tags.length > 0 && <Chips texts={job.tags} />],
            [
              "Location",
              link ? (
                <a key="link" className="link break-all" href={link} rel="noreferrer">
                  {job.location}
                </a>
              ) : (
                job.location
              ),
            ],
            ["First seen", <Age key="first" at={job.createdAt} />],
            ["Last seen", <Age key="last" at={job.updatedAt} />],
          ]}
        />
      </div>
    </Section>
  );
}

function Ends({ title, datasets }: { title: string; datasets: readonly NamedDataset[] }) {
  const most = 50;
  return (
    <Section
      title={title}
      beside={<span className="text-pale">{datasets.length.toLocaleString()}</span>}
    >
      {datasets.length === 0 && <p className="p-3 text-pale">Nothing was told.</p>}
      <ul className="max-h-60 overflow-auto py-1">
        {datasets.slice(0, most).map((one) => {
          const id = formatNodeId({ kind: "dataset", ...one });
          return (
            <li key={id} className="flex px-3 py-0.5">
              <NodeLink node={{ id, type: "DATASET", name: one.name }} most={40} />
            </li>
          );
        })}
        {datasets.length > most && (
          <li className="px-3 py-0.5 text-pale">
            and {(datasets.length - most).toLocaleString()} more
          </li>
        )}
      </ul>
    </Section>
  );
}

function ConfigSection({
  namespace,
  name,
  runs,
}: {
  namespace: string;
  name: string;
  runs: readonly Run[];
}) {
  const { before, after } = route.useSearch();
  const navigate = route.useNavigate();
  const versions = useQuery(jobVersionsQuery(namespace, name));
  const listed = useMemo(
    () => configVersions(runs, versions.data?.versions ?? []),
    [runs, versions.data],
  );
  return (
    <Section title="Versions of the configuration">
      {versions.error ? (
        <Failed what="The versions" error={versions.error} />
      ) : (
        <Versions
          versions={listed}
          before={before}
          after={after}
          what="the configuration"
          choose={(chosen) =>
            void navigate({
              replace: true,
              search: (old) => ({
                node: old.node,
                ...(chosen.before ? { before: chosen.before } : {}),
                ...(chosen.after ? { after: chosen.after } : {}),
              }),
            })
          }
        />
      )}
    </Section>
  );
}
