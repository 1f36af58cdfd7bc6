import { useQuery } from "@tanstack/react-query";
import { impactQuery } from "@/api/queries";
import type { components } from "@/api/schema";
import { Age } from "@/components/age";
import { download } from "@/components/download";
import { KindIcon } from "@/components/kind-icon";
import { LongTable } from "@/components/long-table";
import { Failed, Loading } from "@/components/messages";
import { NodeLink } from "@/components/node-link";
import { StateBadge } from "@/components/state-badge";
import { kindWord } from "@/graph/kind";
import { csv } from "@/graph/rows";
import { stateOf } from "@/graph/state";

type Row = components["schemas"]["ImpactRow"];

/** Who is hit when this changes: everything downstream, the nearest first. */
export function ImpactTable({ of }: { of: string }) {
  const impact = useQuery(impactQuery(of));
  if (impact.isPending) return <Loading what="the impact" />;
  if (impact.error)
    return <Failed what="The impact" error={impact.error} again={() => impact.refetch()} />;
  const { rows, truncated } = impact.data;
  return (
    <>
      <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-2">
        <p role="status">
          {rows.length === 0
            ? "Nothing downstream."
            : `${rows.length.toLocaleString()}${truncated ? "+" : ""} downstream`}
        </p>
        <span className="flex gap-1.5">
          <button
            type="button"
            className="button"
            onClick={() => download("impact.csv", asCsv(rows), "text/csv")}
          >
            CSV
          </button>
          <button
            type="button"
            className="button"
            onClick={() =>
              download("impact.json", JSON.stringify(impact.data, null, 2), "application/json")
            }
          >
            JSON
          </button>
        </span>
      </div>
      <LongTable
        caption="Impact"
        rows={rows}
        rowKey={(row) => row.node.id}
        columns={[
          { head: "Hops", cell: (row) => row.node.distance },
          {
            head: "Name",
            cell: ({ node }) => (
              <span className="flex items-center gap-1.5">
                <span className="text-pale" title={kindWord(node)}>
                  <KindIcon node={node} />
                  <span className="sr-only">{kindWord(node)} </span>
                </span>
                <NodeLink node={node} most={26} />
              </span>
            ),
          },
          { head: "Owner", cell: (row) => row.node.owners.join(", ") },
          { head: "State", cell: (row) => <StateBadge state={stateOf(row.node)} /> },
          { head: "Last run", cell: (row) => <Age at={row.node.lastRunAt} never="" /> },
          ...(rows.some((row) => row.confidence !== null)
            ? [{ head: "How sure", cell: (row: Row) => row.confidence }]
            : []),
          ...(rows.some((row) => row.columns.length > 0)
            ? [{ head: "Columns", cell: (row: Row) => row.columns.join(", ") }]
            : []),
        ]}
      />
    </>
  );
}

function asCsv(rows: readonly Row[]): string {
  return csv(
    [
      "hops",
      "type",
      "kind",
      "namespace",
      "name",
      "owners",
      "state",
      "lastRun",
      "confidence",
      "columns",
    ],
    rows.map(({ node, columns, confidence }) => [
      String(node.distance),
      node.type,
      node.kind,
      node.namespace,
      node.name,
      node.owners.join(" "),
      stateOf(node)?.code ?? "",
      node.lastRunAt ?? "",
      confidence ?? "",
      columns.join(" "),
    ]),
  );
}
