import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { namespacesQuery, nodesQuery, PAGE_SIZE, platformsQuery, tagsQuery } from "@/api/queries";
import { Age } from "@/components/age";
import { Chips } from "@/components/facts";
import { Kind } from "@/components/kind-icon";
import { Empty, Failed, Loading } from "@/components/messages";
import { Name } from "@/components/name";
import { NodeLink } from "@/components/node-link";
import { Select } from "@/components/select";
import { StateBadge } from "@/components/state-badge";
import { KIND_WORDS, platformWord } from "@/graph/kind";
import { STATE_WORDS, stateOf } from "@/graph/state";
import type { ApiNode } from "@/graph/types";
import type { Narrowed } from "@/router";

const route = getRouteApi("/search");
const TYPE_WORDS = new Map([
  ["JOB", "Jobs"],
  ["DATASET", "Datasets"],
]);

export function SearchPage() {
  const narrowed = route.useSearch();
  const navigate = route.useNavigate();
  const type = narrowed.type === "JOB" || narrowed.type === "DATASET" ? narrowed.type : undefined;
  const found = useQuery({
    ...nodesQuery({ ...narrowed, type }),
    placeholderData: keepPreviousData,
  });
  const namespaces = useQuery(namespacesQuery);
  const tags = useQuery(tagsQuery);
  const platforms = useQuery(platformsQuery).data?.platforms ?? [];
  const clusters = platforms
    .filter((one) => narrowed.platform === undefined || one.name === narrowed.platform)
    .flatMap((one) => one.clusters);
  const narrow = (said: { [K in keyof Narrowed]: Narrowed[K] | undefined }) => {
    const { offset: _, ...kept } = { ...narrowed, ...said };
    const search = Object.fromEntries(
      Object.entries({ ...kept, ...(said.offset ? { offset: said.offset } : {}) }).filter(
        ([, value]) => value,
      ),
    );
    void navigate({ search, replace: true });
  };
  return (
    <div className="mx-auto max-w-7xl space-y-3 p-4">
      <h1 className="text-lg font-semibold">Browse</h1>
      <search className="flex flex-wrap items-end gap-2 [&_select]:max-w-40">
        <label className="flex min-w-56 flex-1 flex-col gap-0.5">
          <span className="heading">Name, column, tag or owner</span>
          <input
            type="search"
            className="field"
            value={narrowed.q ?? ""}
            onChange={(event) => narrow({ q: event.target.value })}
          />
        </label>
        <Select
          label="Type"
          value={narrowed.type}
          onChange={(value) => narrow({ type: value })}
          options={TYPE_WORDS}
        />
        <Select
          label="Namespace"
          value={narrowed.namespace}
          onChange={(value) => narrow({ namespace: value })}
          options={namespaces.data?.namespaces.map((one) => one.name) ?? []}
        />
        <Select
          label="Platform"
          value={narrowed.platform}
          onChange={(value) => narrow({ platform: value, cluster: undefined })}
          options={new Map(platforms.map(({ name }) => [name, platformWord(name)]))}
        />
        <Select
          label="Cluster"
          value={narrowed.cluster}
          onChange={(value) => narrow({ cluster: value })}
          options={clusters}
        />
        <Select
          label="Kind"
          value={narrowed.kind}
          onChange={(value) => narrow({ kind: value })}
          options={KIND_WORDS}
        />
        <Select
          label="State"
          value={narrowed.state}
          onChange={(value) => narrow({ state: value })}
          options={STATE_WORDS}
        />
        <label className="flex flex-col gap-0.5">
          <span className="heading">With the tag</span>
          <input
            className="field w-32"
            list="tags"
            value={narrowed.tag ?? ""}
            onChange={(event) => narrow({ tag: event.target.value })}
          />
          {/* Producers tag as they like, so any other word may be typed too. */}
          <datalist id="tags">
            {tags.data?.tags.map((one) => (
              <option key={one.name} value={one.name} />
            ))}
          </datalist>
        </label>
      </search>
      {found.isPending && <Loading what="what there is" />}
      {found.error && (
        <Failed what="What there is" error={found.error} again={() => found.refetch()} />
      )}
      {found.data && (
        <>
          <p role="status" className="text-pale">
            {found.data.total.toLocaleString()} found
            {found.data.truncated &&
              "; only the first 5,000 were looked at, narrow it down by name or namespace"}
          </p>
          {found.data.nodes.length > 0 ? (
            <Found nodes={found.data.nodes} isOld={found.isPlaceholderData} />
          ) : (
            <Empty title="Nothing fits." />
          )}
          <Pager
            total={found.data.total}
            offset={narrowed.offset ?? 0}
            go={(offset) => narrow({ offset })}
          />
        </>
      )}
    </div>
  );
}

/** `isOld`: what was found before, shown until the answer comes. */
function Found({ nodes, isOld }: { nodes: readonly ApiNode[]; isOld: boolean }) {
  return (
    <div className={`card relative overflow-x-auto ${isOld ? "opacity-60" : ""}`}>
      <table className="listing" aria-label="Found" aria-busy={isOld}>
        <thead>
          <tr>
            <th>Kind</th>
            <th>Name</th>
            <th>Namespace</th>
            <th>State</th>
            <th>Last seen</th>
            <th>Tags</th>
            <th>
              <span className="sr-only">Lineage</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.id}>
              <td>
                <Kind node={node} />
              </td>
              <td className="max-w-96">
                <NodeLink node={node} most={48} />
              </td>
              <td className="max-w-64 text-pale">
                <Name text={node.namespace} most={36} />
              </td>
              <td>
                <StateBadge state={stateOf(node)} />
              </td>
              <td>
                <Age at={node.updatedAt} never="" />
              </td>
              <td className="max-w-48">
                <Chips texts={node.tags.slice(0, 3)} />
              </td>
              <td>
                <Link
                  to="/lineage"
                  search={{ node: node.id }}
                  className="link"
                  aria-label={`Lineage of ${node.name}`}
                >
                  Lineage
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Pager({
  total,
  offset,
  go,
}: {
  total: number;
  offset: number;
  go: (offset: number) => void;
}) {
  if (total <= PAGE_SIZE) return null;
  return (
    <nav aria-label="Pages" className="flex items-center gap-2">
      <button
        type="button"
        className="button"
        disabled={offset === 0}
        onClick={() => go(Math.max(0, offset - PAGE_SIZE))}
      >
        Previous
      </button>
      <span className="text-pale">
        {offset + 1}–{Math.min(offset + PAGE_SIZE, total)} of {total.toLocaleString()}
      </span>
      <button
        type="button"
        className="button"
        disabled={offset + PAGE_SIZE >= total}
        onClick={() => go(offset + PAGE_SIZE)}
      >
        Next
      </button>
    </nav>
  );
}
