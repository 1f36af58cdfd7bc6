import { Age } from "@/components/age";
import { Kind } from "@/components/kind-icon";
import { LongTable } from "@/components/long-table";
import { Name } from "@/components/name";
import { NodeLink } from "@/components/node-link";
import { StateBadge } from "@/components/state-badge";
import { edgeRows } from "@/graph/rows";
import type { Scene } from "@/graph/scene";
import { stateOf } from "@/graph/state";

/** The same graph for those who do not see it: every node, every edge. */
export function GraphTables({ scene }: { scene: Scene }) {
  const nodes = [...scene.nodes.values()].flatMap(({ drawn }) =>
    drawn.type === "node" ? [drawn.node] : [],
  );
  const edges = edgeRows(scene);
  return (
    <div className="grid h-full min-h-0 gap-3 overflow-hidden p-3 lg:grid-cols-2">
      <div className="card flex min-h-0 flex-col overflow-hidden">
        <h2 className="px-3 py-2 font-semibold">{nodes.length.toLocaleString()} nodes</h2>
        <LongTable
          caption="Nodes of the graph"
          rows={nodes}
          rowKey={(node) => node.id}
          columns={[
            { head: "Kind", cell: (node) => <Kind node={node} /> },
            { head: "Name", cell: (node) => <NodeLink node={node} most={40} /> },
            { head: "State", cell: (node) => <StateBadge state={stateOf(node)} /> },
            { head: "Hops", cell: (node) => node.distance },
            { head: "Last run", cell: (node) => <Age at={node.lastRunAt} never="" /> },
          ]}
        />
      </div>
      <div className="card flex min-h-0 flex-col overflow-hidden">
        <h2 className="px-3 py-2 font-semibold">{edges.length.toLocaleString()} edges</h2>
        <LongTable
          caption="Edges of the graph"
          rows={edges}
          rowKey={(edge) => `${edge.source} ${edge.target}`}
          columns={[
            { head: "From", cell: (edge) => <Name text={edge.sourceName} most={32} /> },
            { head: "To", cell: (edge) => <Name text={edge.targetName} most={32} /> },
            { head: "How it is known", cell: (edge) => edge.evidence },
            { head: "Change", cell: (edge) => edge.change },
          ]}
        />
      </div>
    </div>
  );
}
