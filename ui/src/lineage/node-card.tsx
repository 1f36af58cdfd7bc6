import { Handle, Position } from "@xyflow/react";
import { ChevronDown, ChevronUp, Minus, Plus, Stethoscope } from "lucide-react";
import { memo } from "react";
import { Age } from "@/components/age";
import { KindIcon } from "@/components/kind-icon";
import { CopyButton, Name } from "@/components/name";
import { StateBadge } from "@/components/state-badge";
import type { DrawnNode } from "@/graph/drawn";
import { findingsWords } from "@/graph/findings";
import { kindWord } from "@/graph/kind";
import type { SceneNode } from "@/graph/scene";
import { roomFor } from "@/graph/shorten";
import { HEIGHT, WIDTH } from "@/graph/size";
import { stateOf } from "@/graph/state";
import { movedWords } from "@/graph/throughput";
import type { Side } from "@/graph/types";
import { useActions } from "./actions";
import { ColumnList } from "./column-list";

type Drawn = Extract<DrawnNode, { type: "node" }>;

const STRIPES: Record<string, string> = {
  good: "bg-good",
  bad: "bg-bad",
  warning: "bg-warning",
  unknown: "bg-unknown",
  quiet: "bg-line",
};

export const NodeCard = memo(function NodeCard({
  data,
}: {
  data: { one: SceneNode; isFaded: boolean };
}) {
  const { one, isFaded } = data;
  const drawn = one.drawn as Drawn;
  const { node } = drawn;
  const { root, selected, flow } = useActions();
  const state = stateOf(node);
  const isRoot = node.id === root;
  const frame =
    node.id === selected
      ? "border-accent ring-2 ring-accent/40"
      : isRoot
        ? "border-accent"
        : "border-line";
  const corner = node.type === "JOB" ? "rounded-2xl" : "rounded-md";
  return (
    <div
      className={`relative border bg-surface shadow-sm ${frame} ${corner} ${isFaded ? "opacity-35" : ""}`}
      style={{ width: WIDTH, height: one.height }}
    >
      <Ends flow={flow} />
      <span
        aria-hidden
        className={`absolute top-3 left-0 w-1 rounded-r ${STRIPES[state?.tone ?? "quiet"]}`}
        style={{ height: HEIGHT - 24 }}
      />
      <div className="flex flex-col justify-center gap-px px-3.5" style={{ height: HEIGHT - 2 }}>
        <div className="flex items-center gap-1.5 text-[11px] text-pale">
          <KindIcon node={node} size={13} />
          <span className="truncate">
            {drawn.control ? `${kindWord(node)} · ${drawn.control}` : kindWord(node)}
          </span>
          <span className="flex-1" />
          <FindingsButton id={node.id} name={node.name} />
          <StateBadge state={state} />
        </div>
        <div className="relative flex items-center">
          <Name
            text={node.name}
            most={roomFor(node.name, 25)}
            className="text-[13px] leading-5 font-semibold"
          />
          <span className="absolute -right-1 rounded bg-surface opacity-0 focus-within:opacity-100 [.react-flow__node:focus-visible_&]:opacity-100 [.react-flow__node:hover_&]:opacity-100">
            <CopyButton text={node.name} label={`Copy the name ${node.name}`} />
          </span>
        </div>
        <Name text={node.namespace} most={34} className="text-[11px] text-pale" />
        <Foot drawn={drawn} isOpen={one.columns.rows.length > 0} />
      </div>
      <SideButton drawn={drawn} side="up" />
      <SideButton drawn={drawn} side="down" />
      <ColumnList one={one} dataset={node.id} />
    </div>
  );
});

/** How many findings speak of a node, leading to them. */
function FindingsButton({ id, name }: { id: string; name: string }) {
  const { findings, showFindings } = useActions();
  const [worst, ...others] = findings.get(id) ?? [];
  if (!worst) return null;
  const count = others.length + 1;
  return (
    <button
      type="button"
      className={`nodrag flex items-center gap-0.5 rounded px-1 font-medium hover:bg-raised ${worst.severity === "error" ? "text-bad" : worst.severity === "warn" ? "text-warning" : "text-pale"}`}
      aria-label={`${findingsWords(count)} about ${name}`}
      title={`${findingsWords(count)}: ${worst.title}`}
      onClick={(event) => {
        event.stopPropagation();
        showFindings(id);
      }}
    >
      <Stethoscope size={12} aria-hidden /> {count}
    </button>
  );
}

function Foot({ drawn: { node, moved }, isOpen }: { drawn: Drawn; isOpen: boolean }) {
  const { toggleColumns } = useActions();
  const { connector } = node;
  return (
    <div className="mt-0.5 flex h-[18px] items-center gap-2 text-[11px] whitespace-nowrap text-pale">
      {connector && (
        <span>
          {connector.tasksRunning}/{connector.tasks} tasks
        </span>
      )}
      {node.columns > 0 && (
        <button
          type="button"
          className="nodrag -mx-1 flex items-center gap-0.5 rounded px-1 hover:bg-raised hover:text-ink"
          aria-expanded={isOpen}
          aria-label={`${node.columns} columns of ${node.name}`}
          onClick={() => toggleColumns(node.id)}
        >
          {node.columns} {node.columns === 1 ? "column" : "columns"}
          {isOpen ? <ChevronUp size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
        </button>
      )}
      {moved && <span className="truncate font-medium text-accent">{movedWords(moved)}</span>}
      <span className="flex-1" />
      {(node.type === "JOB" || !moved) && (
        <Age at={node.type === "JOB" ? node.updatedAt : node.lastRunAt} never="" />
      )}
    </div>
  );
}

const WORDS: Record<Side, string> = { up: "upstream", down: "downstream" };

const MARGINS = { LR: "mx-0.5", TB: "my-0.5 -translate-x-1/2" } as const;

function SideButton({ drawn, side }: { drawn: Drawn; side: Side }) {
  const { toggle, flow } = useActions();
  const isOpen = drawn.isOpen[side];
  const hidden = drawn.hidden[side];
  const total = side === "up" ? drawn.node.upstream : drawn.node.downstream;
  if (total === 0 || (!isOpen && hidden === 0)) return null;
  const label = isOpen
    ? `Hide what is ${WORDS[side]} of ${drawn.node.name}`
    : `Show ${hidden} ${WORDS[side]} of ${drawn.node.name}`;
  // Beside the card, on the line: over it, they would hide what it says.
  const place =
    flow === "LR"
      ? { top: HEIGHT / 2 - 11, [side === "up" ? "right" : "left"]: WIDTH }
      : { left: WIDTH / 2 - 1, [side === "up" ? "bottom" : "top"]: "100%" };
  return (
    <button
      type="button"
      className={`nodrag absolute z-10 flex h-5 min-w-5 items-center justify-center rounded-full border border-line bg-surface px-1 text-[10px] shadow-sm font-semibold text-pale hover:border-accent hover:text-accent focus-visible:opacity-100 ${MARGINS[flow]} ${isOpen ? "opacity-0 hover:opacity-100 [.react-flow__node:focus-within_&]:opacity-100 [.react-flow__node:hover_&]:opacity-100" : ""}`}
      style={place}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        toggle(drawn.id, side, isOpen);
      }}
    >
      {isOpen ? <Minus size={10} aria-hidden /> : <Plus size={10} aria-hidden />}
      {!isOpen && hidden > 1 && <span>{hidden > 999 ? "999+" : hidden}</span>}
    </button>
  );
}

/** Where edges begin and end. */
export function Ends({ flow, at = HEIGHT / 2 }: { flow: "LR" | "TB"; at?: number }) {
  const style = flow === "LR" ? { top: at } : {};
  return (
    <>
      <Handle
        id="in"
        type="target"
        position={flow === "LR" ? Position.Left : Position.Top}
        style={style}
        isConnectable={false}
      />
      <Handle
        id="out"
        type="source"
        position={flow === "LR" ? Position.Right : Position.Bottom}
        style={style}
        isConnectable={false}
      />
    </>
  );
}
