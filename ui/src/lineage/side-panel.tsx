import { Tabs } from "@base-ui/react/tabs";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { Age } from "@/components/age";
import { Chips, Facts } from "@/components/facts";
import { Kind } from "@/components/kind-icon";
import { CopyButton, Name } from "@/components/name";
import { StateBadge } from "@/components/state-badge";
import { FindingsList } from "@/doctor/findings-list";
import { parseNodeId } from "@/graph/node-id";
import type { Scene } from "@/graph/scene";
import { shorten } from "@/graph/shorten";
import { stateOf } from "@/graph/state";
import { movedWords } from "@/graph/throughput";
import type { ApiNode } from "@/graph/types";
import type { View } from "@/graph/view";
import { useActions } from "./actions";
import { titleOf } from "./flow-parts";
import { ImpactTable } from "./impact-table";

interface Said {
  view: View;
  scene: Scene;
  node: ApiNode;
  change: (said: Partial<Record<keyof View, unknown>>) => void;
}

export function SidePanel({ view, scene, node, change }: Said) {
  const findings = useActions().findings.get(node.id) ?? [];
  return (
    <aside
      aria-label="About the chosen node"
      className={`flex ${view.panel === "impact" ? "w-[42rem]" : "w-[26rem]"} shrink-0 flex-col border-l border-line bg-surface max-lg:h-1/2 max-lg:w-full max-lg:border-t max-lg:border-l-0`}
    >
      <Tabs.Root
        value={view.panel}
        onValueChange={(panel) => change({ panel })}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="flex items-center border-b border-line pr-2">
          <Tabs.List aria-label="About" className="flex flex-1">
            {[
              ["details", "Details"],
              ["impact", "Impact"],
              ["findings", `Findings (${findings.length.toLocaleString("en")})`],
            ].map(([value, word]) => (
              <Tabs.Tab
                key={value}
                value={value}
                className="border-b-2 border-transparent px-4 py-2.5 text-pale data-[active]:border-accent data-[active]:text-ink"
              >
                {word}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <button
            type="button"
            className="rounded p-1 text-pale hover:bg-raised"
            aria-label="Close the panel"
            onClick={() => change({ select: undefined })}
          >
            <X size={15} aria-hidden />
          </button>
        </div>
        <Tabs.Panel value="details" className="min-h-0 flex-1 overflow-auto p-4">
          <Details view={view} scene={scene} node={node} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="impact" className="flex min-h-0 flex-1 flex-col">
          <ImpactTable of={view.column ?? node.id} />
        </Tabs.Panel>
        <Tabs.Panel value="findings" className="min-h-0 flex-1 space-y-3 overflow-auto p-3">
          {findings.length === 0 && <p className="text-pale">The doctor finds nothing here.</p>}
          <FindingsList findings={findings} />
          <Link to="/doctor" search={{}} className="link">
            All findings
          </Link>
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  );
}

function Details({ view, scene, node, change }: Said) {
  const state = stateOf(node);
  const { connector } = node;
  const drawn = scene.nodes.get(node.id)?.drawn;
  const isRoot = node.id === view.node;
  const isOnly = view.only === node.id;
  return (
    <div className="space-y-4">
      <div>
        <div className="flex items-center gap-2">
          <Kind node={node} /> <StateBadge state={state} />
        </div>
        <h2 className="flex items-start gap-1 text-[15px] font-semibold">
          <bdi className="min-w-0 break-all">{shorten(node.name, 200)}</bdi>
          <CopyButton text={node.name} label="Copy the whole name" />
        </h2>
        <p className="flex items-start gap-1 text-pale">
          <bdi className="min-w-0 break-all">{shorten(node.namespace, 200)}</bdi>
          <CopyButton text={node.namespace} label="Copy the whole namespace" />
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Link
          to={node.type === "JOB" ? "/job" : "/dataset"}
          search={{ node: node.id }}
          className="button"
        >
          Open its page
        </Link>
        {!isRoot && (
          <button type="button" className="button" onClick={() => change(startAt(node.id))}>
            Start here
          </button>
        )}
        {!isRoot && (
          <button
            type="button"
            className="button"
            aria-pressed={isOnly}
            onClick={() => change({ only: isOnly ? undefined : node.id })}
          >
            Only this path
          </button>
        )}
      </div>
      <Facts
        facts={[
          ["Why", state?.reason],
          ["Description", node.description],
          ["Owners", node.owners.length > 0 && <Chips texts={node.owners} />],
          ["Tags", node.tags.length > 0 && <Chips texts={node.tags} />],
          ["Tasks", connector && `${connector.tasksRunning} of ${connector.tasks} running`],
          [
            "Class",
            connector && (
              <code className="font-mono text-[12px]">{String(connector.connectorClass)}</code>
            ),
          ],
          ["Last run", node.type === "JOB" && <Age at={node.lastRunAt} />],
          ["Last written", node.type === "DATASET" && <Age at={node.lastRunAt} never="not seen" />],
          ["Last seen", <Age key="seen" at={node.updatedAt} />],
          ["Columns", node.type === "DATASET" && node.columns.toLocaleString()],
          ["Throughput", drawn?.type === "node" && drawn.moved && movedWords(drawn.moved)],
        ]}
      />
      <Neighbours scene={scene} id={node.id} change={change} />
      <Hops scene={scene} id={node.id} />
    </div>
  );
}

/** A new root: what was opened around the old one makes no sense any more. */
const startAt = (node: string): Partial<Record<keyof View, unknown>> => ({
  node,
  select: node,
  up: 1,
  down: 1,
  open: [],
  shut: [],
  more: {},
  only: undefined,
  column: undefined,
});

function Neighbours({ scene, id, change }: Pick<Said, "scene" | "change"> & { id: string }) {
  const sides = [
    [
      "From",
      scene.edges.filter((edge) => edge.target === id).map((edge) => [edge.source, edge] as const),
    ],
    [
      "To",
      scene.edges.filter((edge) => edge.source === id).map((edge) => [edge.target, edge] as const),
    ],
  ] as const;
  return sides.map(([word, edges]) => {
    const known = edges.filter(([other]) => scene.nodes.get(other)?.drawn.type === "node");
    if (known.length === 0) return null;
    return (
      <section key={word}>
        <h3 className="heading mb-1">{word}</h3>
        <ul className="space-y-0.5">
          {known.slice(0, 30).map(([other, edge]) => (
            <li key={other} className="flex justify-between gap-2">
              <button
                type="button"
                className="link flex min-w-0 text-left"
                onClick={() => change({ select: other })}
              >
                <Name text={parseNodeId(other)?.name ?? other} most={40} />
              </button>
              <span className="shrink-0 text-[12px] text-pale">{titleOf(edge)}</span>
            </li>
          ))}
          {known.length > 30 && <li className="text-pale">and {known.length - 30} more</li>}
        </ul>
      </section>
    );
  });
}

/** How the lit columns of this dataset are made, hop by hop. */
function Hops({ scene, id }: { scene: Scene; id: string }) {
  const lines = scene.columnLines.filter((line) => line.source === id || line.target === id);
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="heading mb-1">Columns</h3>
      <ul className="space-y-0.5 font-mono text-[12px]">
        {lines.slice(0, 40).map((line) => (
          <li key={line.id}>
            {shorten(line.sourceColumn, 24)} → {shorten(line.targetColumn, 24)}{" "}
            <span className="font-sans text-pale">
              {line.change ? `${line.change}, ${line.word}` : line.word}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
