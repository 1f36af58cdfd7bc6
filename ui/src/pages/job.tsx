import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import type { NamedDataset } from "@/api/marquez";
import { jobQuery, jobVersionsQuery, runsQuery } from "@/api/queries";
import { Kind } from "@/components/kind-icon";
import { Empty, Failed, Loading } from "@/components/messages";
import { Name } from "@/components/name";
import { NodeLink } from "@/components/node-link";
import { About, FacetsSection, NodePage } from "@/components/node-page";
import { RunTimeline } from "@/components/run-timeline";
import { Section } from "@/components/section";
import { StateBadge } from "@/components/state-badge";
import { VersionsSection } from "@/components/versions";
import { formatNodeId, type NodeId, parseNodeId } from "@/graph/node-id";
import { stateOfRun } from "@/graph/state";
import { safeLink } from "@/text/link";
import { configVersions } from "./config-versions";

const route = getRouteApi("/job");

export function JobPage() {
  const { node } = route.useSearch();
  const parsed = parseNodeId(node);
  if (parsed?.kind !== "job") return <Empty title="This address names no job." />;
  return <JobOf id={node} parsed={parsed} />;
}

function JobOf({ id, parsed }: { id: string; parsed: NodeId }) {
  const { namespace, name } = parsed;
  const job = useQuery(jobQuery(namespace, name));
  const runs = useQuery(runsQuery(namespace, name));
  const versions = useQuery(jobVersionsQuery(namespace, name));
  const listed = useMemo(
    () => configVersions(runs.data?.runs ?? [], versions.data?.versions ?? []),
    [runs.data, versions.data],
  );
  if (job.isPending) return <Loading what="the job" />;
  if (job.error) return <Failed what="The job" error={job.error} again={() => job.refetch()} />;
  const latest = runs.data?.runs[0] ?? job.data.latestRun;
  const link = safeLink(job.data.location);
  const location = link ? (
    <a className="link break-all" href={link} rel="noreferrer">
      {job.data.location}
    </a>
  ) : (
    job.data.location
  );
  return (
    <NodePage
      id={id}
      named={parsed}
      kind={<Kind node={{ type: "JOB", kind: job.data.labels.at(-1) ?? "JOB", connector: null }} />}
      state={latest && <StateBadge state={stateOfRun(latest)} />}
      beside={
        <>
          <About
            of={job.data}
            own={[
              ["Why", latest && stateOfRun(latest)?.reason],
              ["Type", job.data.type.toLowerCase()],
              ["Location", location],
            ]}
          />
          <Ends title="Reads" datasets={job.data.inputs} />
          <Ends title="Writes" datasets={job.data.outputs} />
          <FacetsSection title="Job facets" facets={job.data.facets} />
          {latest && <FacetsSection title="Facets of the latest run" facets={latest.facets} />}
        </>
      }
    >
      <Section
        title="Runs"
        beside={
          runs.data && (
            <span className="text-pale">{runs.data.totalCount.toLocaleString()} in all</span>
          )
        }
      >
        {runs.isPending && <Loading what="the runs" />}
        {runs.error && <Failed what="The runs" error={runs.error} again={() => runs.refetch()} />}
        {runs.data && <RunTimeline runs={runs.data.runs} />}
      </Section>
      <VersionsSection
        title="Versions of the configuration"
        what="the configuration"
        from="/job"
        asked={versions}
        versions={listed}
      />
    </NodePage>
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
            <li key={id} className="flex flex-col px-3 py-0.5">
              <NodeLink node={{ id, type: "DATASET", name: one.name }} most={40} />
              <Name text={one.namespace} most={44} className="text-[12px] text-pale" />
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
