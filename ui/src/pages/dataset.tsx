import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Dataset } from "@/api/marquez";
import { datasetQuery, datasetVersionsQuery, walkQuery } from "@/api/queries";
import { Age } from "@/components/age";
import { Facets } from "@/components/facets";
import { Chips, Facts } from "@/components/facts";
import { Kind } from "@/components/kind-icon";
import { Empty, Failed, Loading } from "@/components/messages";
import { Name } from "@/components/name";
import { NodeRows } from "@/components/node-rows";
import { PageHead } from "@/components/page-head";
import { Section } from "@/components/section";
import { Versions } from "@/components/versions";
import { fieldRows } from "@/graph/fields";
import { fieldId, type NodeId, parseNodeId } from "@/graph/node-id";

const route = getRouteApi("/dataset");

export function DatasetPage() {
  const { node } = route.useSearch();
  const parsed = parseNodeId(node);
  if (parsed?.kind !== "dataset") return <Empty title="This address names no dataset." />;
  return <DatasetOf id={node} parsed={parsed} />;
}

function DatasetOf({ id, parsed: { namespace, name } }: { id: string; parsed: NodeId }) {
  const dataset = useQuery(datasetQuery(namespace, name));
  if (dataset.isPending) return <Loading what="the dataset" />;
  if (dataset.error)
    return <Failed what="The dataset" error={dataset.error} again={() => dataset.refetch()} />;
  const told = dataset.data;
  return (
    <div className="mx-auto max-w-6xl space-y-4 p-4">
      <PageHead
        id={id}
        name={told.name}
        namespace={told.namespace}
        kind={<Kind node={{ type: "DATASET", kind: told.kind, connector: null }} />}
      />
      <div className="grid gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="min-w-0 space-y-4">
          <Columns id={id} dataset={told} />
          <SchemaVersions namespace={namespace} name={name} />
        </div>
        <div className="min-w-0 space-y-4">
          <Section title="About">
            <div className="p-3">
              <Facts
                facts={[
                  ["Description", told.description],
                  ["Owners", (told.owners?.length ?? 0) > 0 && <Chips texts={told.owners ?? []} />],
                  ["Tags", told.tags.length > 0 && <Chips texts={told.tags} />],
                  [
                    "Also called",
                    told.aliases.length > 0 && (
                      <Chips texts={told.aliases.map((one) => `${one.namespace} ${one.name}`)} />
                    ),
                  ],
                  ["Last written", <Age key="written" at={told.lastModifiedAt} never="not seen" />],
                  ["First seen", <Age key="first" at={told.createdAt} />],
                  ["Last seen", <Age key="last" at={told.updatedAt} />],
                ]}
              />
            </div>
          </Section>
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
          <Section title="Facets">
            <Facets facets={told.facets} />
          </Section>
        </div>
      </div>
    </div>
  );
}

function Columns({ id, dataset }: { id: string; dataset: Dataset }) {
  const rows = useMemo(() => fieldRows(dataset.fields), [dataset.fields]);
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
                <th>Description</th>
                <th>Tags</th>
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
                    <td className="break-words">{row.description}</td>
                    <td>
                      <Chips texts={row.tags} />
                    </td>
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

function SchemaVersions({ namespace, name }: { namespace: string; name: string }) {
  const { before, after } = route.useSearch();
  const navigate = route.useNavigate();
  const versions = useQuery(datasetVersionsQuery(namespace, name));
  const listed = useMemo(
    () =>
      (versions.data?.versions ?? []).map((one) => ({
        id: one.version,
        since: one.createdAt,
        text: fieldRows(one.fields)
          .map((row) => `${row.path}  ${row.type}`)
          .join("\n"),
      })),
    [versions.data],
  );
  return (
    <Section title="Schema versions">
      {versions.error ? (
        <Failed what="The versions" error={versions.error} />
      ) : (
        <Versions
          versions={listed}
          before={before}
          after={after}
          what="the schema"
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
