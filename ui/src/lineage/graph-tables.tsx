import type { ReactNode } from "react";
import { Age } from "@/components/age";
import { Kind, KindIcon } from "@/components/kind-icon";
import { type Column, LongTable } from "@/components/long-table";
import { Name } from "@/components/name";
import { NodeLink } from "@/components/node-link";
import { StateBadge } from "@/components/state-badge";
import { kindWord } from "@/graph/kind";
import { parseNodeId } from "@/graph/node-id";
import { type EdgeRow, edgeRows } from "@/graph/rows";
import type { ColumnLine, Scene } from "@/graph/scene";
import { stateOf } from "@/graph/state";
import { movedOver, movedWords } from "@/graph/throughput";

/** The same graph for those who do not see it: every node, every edge, every column line. */
export function GraphTables({ scene }: { scene: Scene }) {
  const nodes = [...scene.nodes.values()].flatMap(({ drawn }) =>
    drawn.type === "node" ? [drawn] : [],
  );
  const edges = edgeRows(scene);
  const lines = scene.columnLines;
  return (
    <div className="grid h-full min-h-0 auto-rows-fr gap-3 overflow-hidden p-3 2xl:grid-cols-[5fr_4fr]">
      <Tabled title={`${nodes.length.toLocaleString()} nodes`}>
        <LongTable
          caption="Nodes of the graph"
          rows={nodes}
          rowKey={({ id }) => id}
          columns={[
            { head: "Kind", cell: ({ node }) => <Kind node={node} /> },
            { head: "Name", cell: ({ node }) => <NodeLink node={node} most={40} /> },
            { head: "Namespace", cell: ({ node }) => <Name text={node.namespace} most={44} /> },
            { head: "State", cell: ({ node }) => <StateBadge state={stateOf(node)} /> },
            { head: "Hops", cell: ({ node }) => node.distance },
            { head: "Last run", cell: ({ node }) => <Age at={node.lastRunAt} never="" /> },
            ...(nodes.some(({ moved }) => moved)
              ? [
                  told<(typeof nodes)[number]>(
                    "Throughput",
                    ({ moved }) => moved && movedWords(moved),
                  ),
                ]
              : []),
          ]}
        />
      </Tabled>
      <Tabled title={`${edges.length.toLocaleString()} edges`}>
        <LongTable
          caption="Edges of the graph"
          rows={edges}
          rowKey={(edge) => `${edge.source} ${edge.target}`}
          columns={[
            { head: "From", cell: (edge) => <End scene={scene} id={edge.source} /> },
            { head: "To", cell: (edge) => <End scene={scene} id={edge.target} /> },
            { head: "How it is known", cell: (edge) => edge.evidence },
            { head: "How sure", cell: (edge) => edge.confidence },
            ...(edges.some((edge) => edge.through.length > 0)
              ? [told("Through", (edge: EdgeRow) => <Through ids={edge.through} />)]
              : []),
            ...(edges.some((edge) => edge.rows !== null) ? [told("Throughput", throughput)] : []),
            ...(edges.some((edge) => edge.change !== "")
              ? [told<EdgeRow>("Change", (edge) => edge.change)]
              : []),
          ]}
        />
      </Tabled>
      {lines.length > 0 && (
        <Tabled title={`${lines.length.toLocaleString()} lines between columns`}>
          <LongTable
            caption="Columns of the graph"
            rows={lines}
            rowKey={(line) => line.id}
            columns={[
              { head: "From", cell: (line) => columnName(line.source, line.sourceColumn) },
              { head: "To", cell: (line) => columnName(line.target, line.targetColumn) },
              { head: "How", cell: (line) => line.word },
              ...(lines.some((line) => line.change)
                ? [told<ColumnLine>("Change", (line) => line.change)]
                : []),
            ]}
          />
        </Tabled>
      )}
    </div>
  );
}

/** One end of an edge; a table and its topic often have one name, so the kind is told. */
function End({ scene, id }: { scene: Scene; id: string }) {
  const drawn = scene.nodes.get(id)?.drawn;
  if (drawn?.type !== "node") return null;
  return (
    <span className="flex items-center gap-1.5">
      <span className="text-pale" title={kindWord(drawn.node)}>
        <KindIcon node={drawn.node} />
        <span className="sr-only">{kindWord(drawn.node)} </span>
      </span>
      <Name text={drawn.node.name} most={32} />
    </span>
  );
}

/** The hidden jobs that an edge stands for. */
function Through({ ids }: { ids: readonly string[] }) {
  const names = ids.map((id) => parseNodeId(id)?.name ?? id);
  return <Name text={names.join(", ")} most={40} />;
}

function Tabled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="card flex min-h-0 flex-col overflow-hidden">
      <h2 className="px-3 py-2 font-semibold">{title}</h2>
      {children}
    </div>
  );
}

const told = <T,>(head: string, cell: (row: T) => ReactNode): Column<T> => ({ head, cell });

function throughput(edge: EdgeRow): string | undefined {
  const moved = movedOver([edge]);
  return moved && movedWords(moved);
}

const columnName = (dataset: string, column: string): ReactNode => (
  <Name text={`${parseNodeId(dataset)?.name ?? dataset} . ${column}`} most={44} />
);
