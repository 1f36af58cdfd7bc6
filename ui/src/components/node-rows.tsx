import { Link } from "@tanstack/react-router";
import { stateOf } from "@/graph/state";
import type { ApiNode } from "@/graph/types";
import { Age } from "./age";
import { Kind } from "./kind-icon";
import { Name } from "./name";
import { StateBadge } from "./state-badge";

/** Nodes in a few words each, leading to their lineage. */
export function NodeRows({ nodes, empty }: { nodes: readonly ApiNode[]; empty: string }) {
  if (nodes.length === 0) return <p className="p-3 text-pale">{empty}</p>;
  return (
    <ul className="@container max-h-80 overflow-auto">
      {nodes.map((node) => (
        <li
          key={node.id}
          className="flex items-center gap-3 border-b border-line px-3 py-1.5 last:border-0"
        >
          <span className="flex min-w-0 flex-1 flex-col">
            <Link
              to="/lineage"
              search={{ node: node.id }}
              className="link flex min-w-0 font-medium"
            >
              <Name text={node.name} most={52} />
            </Link>
            <Name text={node.namespace} most={56} className="text-[12px] text-pale" />
          </span>
          <span className="hidden w-28 text-[12px] @md:inline">
            <Kind node={node} />
          </span>
          <span className="flex w-24 justify-end">
            <StateBadge state={stateOf(node)} />
          </span>
          <span className="hidden w-24 text-right text-[12px] text-pale @sm:inline">
            <Age at={node.updatedAt ?? node.lastRunAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
