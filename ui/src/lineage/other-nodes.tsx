import { Cog, Database } from "lucide-react";
import { memo } from "react";
import { Name } from "@/components/name";
import type { DrawnNode } from "@/graph/drawn";
import type { SceneNode } from "@/graph/scene";
import { HEIGHT, STUB_HEIGHT, STUB_WIDTH, WIDTH } from "@/graph/size";
import { useActions } from "./actions";
import { Ends } from "./node-card";

/** So many more neighbours a click on a stub shows. */
const STEP = 100;

export const StubNode = memo(function StubNode({ data }: { data: { one: SceneNode } }) {
  const stub = data.one.drawn as Extract<DrawnNode, { type: "stub" }>;
  const { showMore, flow } = useActions();
  const side = stub.side === "up" ? "upstream" : "downstream";
  const next = Math.min(STEP, stub.count);
  return (
    <button
      type="button"
      className="nodrag flex flex-col items-center justify-center rounded-md border border-dashed border-edge bg-ground text-[11.5px] leading-tight hover:border-accent hover:text-accent"
      style={{ width: STUB_WIDTH, height: STUB_HEIGHT }}
      aria-label={`${stub.count.toLocaleString("en")} more ${side}; show ${next} of them`}
      onClick={() => showMore(stub.of, stub.side, STEP)}
    >
      <Ends flow={flow} at={STUB_HEIGHT / 2} />
      <span className="font-semibold">
        {stub.count.toLocaleString("en")} more {side}
      </span>
      <span className="text-pale">show {next}</span>
    </button>
  );
});

export const GroupNode = memo(function GroupNode({ data }: { data: { one: SceneNode } }) {
  const group = data.one.drawn as Extract<DrawnNode, { type: "group" }>;
  const { narrowTo, flow } = useActions();
  const Icon = group.nodeType === "JOB" ? Cog : Database;
  const what = group.nodeType === "JOB" ? "jobs" : "datasets";
  return (
    <button
      type="button"
      className="nodrag flex flex-col justify-center gap-1 rounded-md border border-line bg-surface px-4 text-left shadow-[4px_4px_0_var(--raised)] hover:border-accent"
      style={{ width: WIDTH, height: HEIGHT }}
      aria-label={`${group.count.toLocaleString("en")} ${what} in ${group.namespace}; show them`}
      onClick={() => narrowTo(group.namespace)}
    >
      <Ends flow={flow} />
      <Name text={group.namespace} most={30} className="max-w-full font-semibold" />
      <span className="flex items-center gap-1.5 text-pale">
        <Icon size={13} aria-hidden />
        {group.count.toLocaleString("en")} {what}
      </span>
    </button>
  );
});
