import { SIDES, type Side } from "./types";

/** Everything that the address of a lineage page holds. */
export interface View {
  node: string;
  /** Hops from the node, each side. */
  up: number;
  down: number;
  /** Sides of nodes opened and closed by hand, as sideKey writes them. */
  open: readonly string[];
  shut: readonly string[];
  /** How many more neighbours than usual a side shows. */
  more: Readonly<Record<string, number>>;
  /** Datasets whose columns are open. */
  cols: readonly string[];
  column?: string;
  level: "table" | "column";
  asOf?: string;
  before?: string;
  after?: string;
  /** Show only what lies between the node and this one. */
  only?: string;
  ns?: string;
  /** Only what lies or runs there, and what touches that. */
  platform?: string;
  cluster?: string;
  kind?: string;
  state?: string;
  tag?: string;
  control: boolean;
  /** Whether datasets alone are shown, joined where a job stands between. */
  hideJobs: boolean;
  flow: "LR" | "TB";
  as: "graph" | "table";
  select?: string;
  panel: Panel;
}

const PANELS = ["details", "impact", "findings"] as const;
export type Panel = (typeof PANELS)[number];
export const DEEPEST = 20;
const TEXTS = [
  "column",
  "asOf",
  "before",
  "after",
  "only",
  "ns",
  "platform",
  "cluster",
  "kind",
  "state",
  "tag",
  "select",
] as const;

export const sideKey = (side: Side, node: string): string => `${side}:${node}`;

/** A view of whatever an address holds; what makes no sense is left out. */
export function readView(raw: Record<string, unknown>): View {
  const view: View = {
    node: text(raw.node) ?? "",
    up: hops(raw.up),
    down: hops(raw.down),
    open: texts(raw.open).filter(isSideKey),
    shut: texts(raw.shut).filter(isSideKey),
    more: counts(raw.more),
    cols: texts(raw.cols),
    level: raw.level === "column" ? "column" : "table",
    control: raw.control === true,
    hideJobs: raw.hideJobs === true,
    flow: raw.flow === "TB" ? "TB" : "LR",
    as: raw.as === "table" ? "table" : "graph",
    panel: PANELS.find((one) => one === raw.panel) ?? "details",
  };
  for (const key of TEXTS) {
    const value = text(raw[key]);
    if (value !== undefined) view[key] = value;
  }
  return view;
}

/** What an address must hold for a view: all that is not as it is by default. */
export function writeView(view: View): Record<string, unknown> {
  const plain = readView({});
  const said: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(view)) {
    const usual = (plain as unknown as Record<string, unknown>)[key];
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(usual)) said[key] = value;
  }
  return said;
}

/** Open or close one side of a node; the other memory of that side is forgotten. */
export function toggleSide(view: View, node: string, side: Side, isOpen: boolean): View {
  const key = sideKey(side, node);
  const without = (list: readonly string[]) => list.filter((one) => one !== key);
  const { [key]: _, ...more } = view.more;
  return isOpen
    ? { ...view, open: without(view.open), shut: [...without(view.shut), key], more }
    : { ...view, open: [...without(view.open), key], shut: without(view.shut) };
}

export function toggleColumns(view: View, dataset: string): View {
  const cols = view.cols.includes(dataset)
    ? view.cols.filter((one) => one !== dataset)
    : [...view.cols, dataset];
  return { ...view, cols };
}

function text(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.filter((one) => typeof one === "string"))] : [];
}

function hops(value: unknown): number {
  const count = typeof value === "number" ? Math.floor(value) : 1;
  return Number.isFinite(count) ? Math.min(Math.max(count, 0), DEEPEST) : 1;
}

function counts(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter(
    ([key, count]) => isSideKey(key) && Number.isInteger(count) && count > 0,
  );
  return Object.fromEntries(entries) as Record<string, number>;
}

function isSideKey(key: string): boolean {
  return SIDES.some((side) => key.startsWith(`${side}:`));
}
