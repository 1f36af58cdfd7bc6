import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Dataset, DatasetVersion } from "@/api/marquez";
import { datasetQuery, datasetVersionsQuery, walkQuery } from "@/api/queries";
import { Age } from "@/components/age";
import { Chips } from "@/components/facts";
import { Kind } from "@/components/kind-icon";
import { Empty, Failed, Loading } from "@/components/messages";
import { Name } from "@/components/name";
import { About, FacetsSection, NodePage } from "@/components/node-page";
import { NodeRows } from "@/components/node-rows";
import { Section } from "@/components/section";
import { type Version, VersionsSection } from "@/components/versions";
import { fieldRows } from "@/graph/fields";
import { fieldId, type NodeId, parseNodeId } from "@/graph/node-id";

const route = getRouteApi("/dataset");

export function DatasetPage() {
  const { node } = route.useSearch();
  const parsed = parseNodeId(node);
  if (parsed?.kind !== "dataset") return <Empty title="This address names no dataset." />;
  return <DatasetOf id={node} parsed={parsed} />;
}

function DatasetOf({ id, parsed }: { id: string; parsed: NodeId }) {
  const { namespace, name } = parsed;
  const dataset = useQuery(datasetQuery(namespace, name));
  const versions = useQuery(datasetVersionsQuery(namespace, name));
  const listed = useMemo(() => (versions.data?.versions ?? []).map(versionOf), [versions.data]);
  if (dataset.isPending) return <Loading what="the dataset" />;
  if (dataset.error)
    return <Failed what="The dataset" error={dataset.error} again={() => dataset.refetch()} />;
  const told = dataset.data;
  const aliases = told.aliases.map((one) => `${one.namespace} ${one.name}`);
  return (
    <NodePage
      id={id}
      named={{ ...parsed, namespace: told.namespace, name: told.name }}
      kind={<Kind node={{ type: "DATASET", kind: told.kind, connector: null }} />}
      beside={
        <>
          <About
            of={told}
            own={[
              ["Also called", aliases.length > 0 && <Chips texts={aliases} />],
              ["Last written", <Age key="written" at={told.lastModifiedAt} never="not seen" />],
            ]}
          />
          <Beside
            id={id}
            direction="upstream"
            title="Written by"
            empty="No job was seen to write it."
          />
          <Beside
            id={id}
            direction="downstream"
            title="Read by"
            empty="No job was seen to read it."
          />
          <FacetsSection title="Facets" facets={told.facets} />
        </>
      }
    >
      <Columns id={id} dataset={told} />
      <VersionsSection
        title="Schema versions"
        what="the schema"
        from="/dataset"
        asked={versions}
        versions={listed}
      />
    </NodePage>
  );
}

const versionOf = (one: DatasetVersion): Version => ({
  id: one.version,
  since: one.createdAt,
  text: fieldRows(one.fields)
    .map((row) => `${row.path}  ${row.type}`)
    .join("\n"),
});

function Columns({ id, dataset }: { id: string; dataset: Dataset }) {
  const rows = useMemo(() => fieldRows(dataset.fields), [dataset.fields]);
  const isDescribed = rows.some((row) => row.description !== "");
  const isTagged = rows.some((row) => row.tags.length > 0);
  return (
    <Section
      title="Columns"
      beside={<span className="text-pale">{rows.length.toLocaleString()}</span>}
    >
      {rows.length === 0 && <p className="p-3 text-pale">No schema was told.</p>}
      {rows.length > 0 && (
        <div className="max-h-[36rem] overflow-auto">
          <table className="listing">
            <thead className="sticky top-0 bg-surface">
              <tr>
                <th>Column</th>
                <th>Type</th>
                {isDescribed && <th>Description</th>}
                {isTagged && <th>Tags</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const column = fieldId(id, row.path);
                return (
                  <tr key={row.path}>
                    <td className="max-w-72">
                      <span className="flex min-w-0">
                        <span aria-hidden className="whitespace-pre text-pale">
                          {"\u00a0\u00a0\u00a0".repeat(row.depth)}
                          {row.depth > 0 && "└ "}
                        </span>
                        <Link
                          to="/lineage"
                          search={{ node: id, ...(column ? { column } : {}) }}
                          className="link flex min-w-0 font-mono text-[12.5px]"
                          title={row.path}
                        >
                          <Name text={row.name} most={36} />
                        </Link>
                      </span>
                    </td>
                    <td className="max-w-40 text-pale">
                      <Name text={row.type} most={24} />
                    </td>
                    {isDescribed && <td className="break-words">{row.description}</td>}
                    {isTagged && (
                      <td>
                        <Chips texts={row.tags} />
                      </td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Beside({
  id,
  direction,
  title,
  empty,
}: {
  id: string;
  direction: "upstream" | "downstream";
  title: string;
  empty: string;
}) {
  const around = useQuery(walkQuery({ node: id, direction, depth: 1 }));
  const jobs = around.data?.nodes.filter((one) => one.type === "JOB") ?? [];
  return (
    <Section
      title={title}
      beside={around.data && <span className="text-pale">{jobs.length.toLocaleString()}</span>}
    >
      {around.isPending && <Loading what="the jobs" />}
      {around.error && <Failed what="The jobs" error={around.error} />}
      {around.data && <NodeRows nodes={jobs.slice(0, 100)} empty={empty} />}
    </Section>
  );
}
