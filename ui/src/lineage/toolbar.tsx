import { Menu } from "@base-ui/react/menu";
import { Popover } from "@base-ui/react/popover";
import {
  ArrowRight,
  CalendarClock,
  Columns3,
  Download,
  Eye,
  EyeOff,
  Filter,
  ListTree,
  Network,
  Table2,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { Select } from "@/components/select";
import { kindWord, platformWord } from "@/graph/kind";
import { stateOf } from "@/graph/state";
import type { Graph } from "@/graph/types";
import { DEEPEST, type View } from "@/graph/view";
import { fromLocalField, toLocalField } from "@/text/time";

interface Said {
  view: View;
  graph: Graph;
  hiddenControl: number;
  hiddenJobs: number;
  change: (said: Partial<Record<keyof View, unknown>>) => void;
  /** None as long as there is not all to export. */
  exports: Exports;
}

/** What can be taken along; one that writes no file answers what it did instead. */
export type Exports = [string, () => unknown][];

export function Toolbar({ view, graph, hiddenControl, hiddenJobs, change, exports }: Said) {
  return (
    <div
      role="toolbar"
      aria-label="View"
      className="flex flex-wrap items-center gap-1 border-b border-line bg-surface px-2.5 py-1.5 text-[13px] [&_.button]:px-2"
    >
      <Hops label="Upstream" value={view.up} onChange={(up) => change({ up, shut: [] })} />
      <Hops label="Downstream" value={view.down} onChange={(down) => change({ down, shut: [] })} />
      <Divider />
      <Choice
        label="Level"
        value={view.level}
        options={[
          ["table", "Tables", Network],
          ["column", "Columns", Columns3],
        ]}
        onChange={(level) => change({ level, ...(level === "column" ? toNextDatasets(view) : {}) })}
      />
      <Choice
        label="Shown as"
        value={view.as}
        options={[
          ["graph", "Graph", ListTree],
          ["table", "Table", Table2],
        ]}
        onChange={(as) => change({ as })}
      />
      <button
        type="button"
        className="button w-8 justify-center px-0"
        aria-label={view.flow === "LR" ? "Draw from top to bottom" : "Draw from left to right"}
        title={view.flow === "LR" ? "Draw from top to bottom" : "Draw from left to right"}
        onClick={() => change({ flow: view.flow === "LR" ? "TB" : "LR" })}
      >
        <ArrowRight size={14} aria-hidden className={view.flow === "TB" ? "rotate-90" : ""} />
      </button>
      <Divider />
      <Filters view={view} graph={graph} change={change} />
      <Time view={view} change={change} />
      <button
        type="button"
        className="button"
        aria-pressed={view.hideJobs}
        onClick={() => change({ hideJobs: !view.hideJobs })}
      >
        {view.hideJobs ? (
          <>
            <EyeOff size={14} aria-hidden /> {hiddenJobs.toLocaleString()}{" "}
            {hiddenJobs === 1 ? "job" : "jobs"} hidden
          </>
        ) : (
          <>
            <Eye size={14} aria-hidden /> Hide jobs
          </>
        )}
      </button>
      {(hiddenControl > 0 || view.control) && !view.hideJobs && (
        <button
          type="button"
          className="button"
          aria-pressed={view.control}
          onClick={() => change({ control: !view.control })}
        >
          {view.control ? (
            <>
              <Eye size={14} aria-hidden /> Control topics shown
            </>
          ) : (
            <>
              <EyeOff size={14} aria-hidden /> {hiddenControl} control{" "}
              {hiddenControl === 1 ? "topic" : "topics"} hidden
            </>
          )}
        </button>
      )}
      <span className="flex-1" />
      <ExportMenu exports={exports} />
    </div>
  );
}

function ExportMenu({ exports }: { exports: Exports }) {
  const [done, setDone] = useState<string>();
  const take = async (run: Exports[number][1]) => {
    const said = await run();
    setDone(typeof said === "string" ? said : undefined);
    setTimeout(() => setDone(undefined), 2000);
  };
  return (
    <>
      <span role="status" className="text-[12px] text-pale">
        {done}
      </span>
      <Menu.Root>
        <Menu.Trigger className="button" disabled={exports.length === 0}>
          <Download size={14} aria-hidden /> Export
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" className="z-50">
            <Menu.Popup className="card min-w-44 p-1 shadow-lg">
              {exports.map(([word, run]) => (
                <Menu.Item
                  key={word}
                  onClick={() => void take(run)}
                  className="cursor-pointer rounded px-2 py-1.5 data-[highlighted]:bg-raised"
                >
                  {word}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}

/** Between two datasets stands a job: columns of only one would lead nowhere. */
function toNextDatasets(view: View): { up: number; down: number } {
  const isAlone = !view.hideJobs && view.node.startsWith("dataset:");
  const least = (hops: number) => (hops === 1 && isAlone ? 2 : hops);
  return { up: least(view.up), down: least(view.down) };
}

const Divider = () => <span aria-hidden className="mx-1 h-5 w-px bg-line max-md:hidden" />;

function Hops({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (hops: number) => void;
}) {
  const options = [0, 1, 2, 3, 4, 5, 6, 8, 10, DEEPEST];
  const listed = options.includes(value) ? options : [...options, value].sort((a, b) => a - b);
  return (
    <label className="flex items-center gap-1.5 text-pale">
      {label}
      <select
        className="field px-1"
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {listed.map((hops) => (
          <option key={hops} value={hops}>
            {hops === 0
              ? "none"
              : hops === DEEPEST
                ? "all"
                : `${hops} ${hops === 1 ? "hop" : "hops"}`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Choosable<T extends string> {
  label: string;
  value: T;
  options: readonly [T, string, typeof Network][];
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, onChange }: Choosable<T>) {
  return (
    <fieldset className="flex rounded-md border border-line" aria-label={label}>
      {options.map(([one, word, Icon]) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          onClick={() => onChange(one)}
          className="flex h-[30px] items-center gap-1.5 px-2 first:rounded-l-md last:rounded-r-md hover:bg-raised aria-pressed:bg-accent-ground aria-pressed:text-accent"
        >
          <Icon size={14} aria-hidden /> {word}
        </button>
      ))}
    </fieldset>
  );
}

function Pop({
  label,
  icon,
  isOn,
  children,
}: {
  label: string;
  icon: ReactNode;
  isOn: boolean;
  children: ReactNode;
}) {
  return (
    <Popover.Root>
      <Popover.Trigger className="button" aria-pressed={isOn}>
        {icon} {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" className="z-50">
          <Popover.Popup className="card flex w-72 flex-col gap-3 p-4 shadow-lg">
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const FILTERS = ["ns", "platform", "cluster", "kind", "state", "tag"] as const;

function Filters({ view, graph, change }: Pick<Said, "view" | "graph" | "change">) {
  const nodes = [...graph.nodes.values()];
  const told = (values: Iterable<string | null>) =>
    [...new Set(values)].filter((one) => one !== null).sort();
  const count = FILTERS.filter((one) => view[one] !== undefined).length;
  const kinds = new Map(
    nodes
      .map((one) => [one.kind, kindWord({ ...one, connector: null })] as const)
      .sort(([, a], [, b]) => a.localeCompare(b)),
  );
  const states = new Map(
    nodes.flatMap((one) => {
      const state = stateOf(one);
      return state ? [[state.code, state.word] as const] : [];
    }),
  );
  return (
    <Pop
      label={count > 0 ? `${count} ${count === 1 ? "filter" : "filters"}` : "Filter"}
      isOn={count > 0}
      icon={<Filter size={14} aria-hidden />}
    >
      <Popover.Title className="font-semibold">Show only</Popover.Title>
      <Select
        label="Namespace"
        value={view.ns}
        options={told(nodes.map((one) => one.namespace))}
        onChange={(ns) => change({ ns })}
      />
      <Select
        label="Platform"
        value={view.platform}
        options={
          new Map(told(nodes.map((one) => one.platform)).map((one) => [one, platformWord(one)]))
        }
        onChange={(platform) => change({ platform })}
      />
      <Select
        label="Cluster"
        value={view.cluster}
        options={told(nodes.map((one) => one.cluster))}
        onChange={(cluster) => change({ cluster })}
      />
      <Select
        label="Kind"
        value={view.kind}
        options={kinds}
        onChange={(kind) => change({ kind })}
      />
      <Select
        label="State of jobs"
        value={view.state}
        options={states}
        onChange={(state) => change({ state })}
      />
      <Select
        label="Tag"
        value={view.tag}
        options={told(nodes.flatMap((one) => one.tags))}
        onChange={(tag) => change({ tag })}
      />
      <button
        type="button"
        className="button justify-center"
        disabled={count === 0}
        onClick={() => change(Object.fromEntries(FILTERS.map((one) => [one, undefined])))}
      >
        Show all
      </button>
    </Pop>
  );
}

const NOW = { asOf: undefined, before: undefined, after: undefined };
const AGOS = [
  ["1 hour ago", 1],
  ["a day", 24],
  ["a week", 24 * 7],
] as const;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

function Time({ view, change }: Pick<Said, "view" | "change">) {
  const mode = view.before !== undefined ? "compare" : view.asOf !== undefined ? "past" : "now";
  const label =
    mode === "compare"
      ? "Comparing"
      : mode === "past"
        ? `As of ${toLocalField(view.asOf).replace("T", " ")}`
        : "Now";
  const field = (
    name: string,
    value: string | undefined,
    set: (instant: string | undefined) => void,
  ) => (
    <label className="flex flex-col gap-0.5">
      <span className="heading">{name}</span>
      <input
        type="datetime-local"
        step={1}
        className="field"
        value={toLocalField(value)}
        onChange={(event) => set(fromLocalField(event.target.value))}
      />
    </label>
  );
  return (
    <Pop label={label} isOn={mode !== "now"} icon={<CalendarClock size={14} aria-hidden />}>
      <Popover.Title className="font-semibold">Time</Popover.Title>
      {field("As of", view.asOf, (asOf) => change({ ...NOW, asOf }))}
      <p className="text-[12px] text-pale">
        or compare two times, and see which edges came and went:
      </p>
      <div className="flex gap-1.5">
        {AGOS.map(([word, hours]) => (
          <button
            key={word}
            type="button"
            className="button flex-1 justify-center"
            onClick={() => change({ ...NOW, before: hoursAgo(hours) })}
          >
            {word}
          </button>
        ))}
      </div>
      {field("From", view.before, (before) => change({ before, asOf: undefined }))}
      {field("To (now, if left out)", view.after, (after) => change({ after, asOf: undefined }))}
      <button
        type="button"
        className="button justify-center"
        disabled={mode === "now"}
        onClick={() => change(NOW)}
      >
        Back to now
      </button>
    </Pop>
  );
}
