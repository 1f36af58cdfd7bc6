import type { components } from "@/api/schema";
import { kindWord } from "./kind";
import { parseNodeId } from "./node-id";
import { shorten } from "./shorten";
import { STATE_WORDS } from "./state";

export type NewsItem = components["schemas"]["NewsItem"];
type Part = components["schemas"]["ChangedPart"];

/** So many names are told; the page behind the link tells the rest. */
const MOST_NAMES = 3;

/** What changed, by the words that a reader looks for. */
export const NEWS_WORDS: Record<NewsItem["what"], string> = {
  JOB: "New job",
  DATASET: "New dataset",
  EDGES: "Edges",
  SCHEMA: "Schema",
  CONFIG: "Configuration",
  STATE: "State",
};

/** What a change is about: a node, or the namespace of many that are new. */
export function newsTitle({ what, node, count }: NewsItem): string {
  if (count <= 1) return node.name;
  const things = what === "JOB" ? "jobs" : "datasets";
  return `${count.toLocaleString("en")} ${things} in ${node.namespace}`;
}

/** One change in a few words. */
export function newsWords(item: NewsItem): string {
  switch (item.what) {
    case "JOB":
    case "DATASET":
      return item.count > 1 ? `${item.node.name} is the newest` : kindWord(item.node);
    case "EDGES":
      return joined([
        ["now reads", item.added.filter((one) => !one.written)],
        ["now writes", item.added.filter((one) => one.written)],
        ["no longer reads", item.removed.filter((one) => !one.written)],
        ["no longer writes", item.removed.filter((one) => one.written)],
      ]);
    case "SCHEMA":
      return (
        joined([
          ["added", item.added],
          ["removed", item.removed],
          ["changed", item.changed],
        ]) || "columns in another order, or told otherwise"
      );
    case "CONFIG":
      return `${version(item.before)} → ${version(item.after)}`;
    case "STATE":
      return `${state(item.before)} → ${state(item.after)}`;
  }
}

/** Where a change can be seen. */
export function newsAddress(
  item: NewsItem,
  since: string,
): { to: "/lineage" | "/job" | "/dataset" | "/search"; search: Record<string, string> } {
  const node = item.node.id;
  if (item.count > 1)
    return { to: "/search", search: { type: item.node.type, namespace: item.node.namespace } };
  const versions =
    item.before !== null && item.after !== null ? { before: item.before, after: item.after } : {};
  switch (item.what) {
    case "EDGES":
      return { to: "/lineage", search: { node, before: since } };
    case "SCHEMA":
      return { to: "/dataset", search: { node, ...versions } };
    case "CONFIG":
      return { to: "/job", search: { node, ...versions } };
    case "STATE":
      return { to: "/job", search: { node } };
    default:
      return { to: "/lineage", search: { node } };
  }
}

const state = (code: string | null): string => STATE_WORDS.get(code ?? "") ?? code ?? "Unknown";
const version = (id: string | null): string => (id ?? "").slice(0, 8);

function joined(said: readonly (readonly [string, readonly Part[]])[]): string {
  return said
    .filter(([, parts]) => parts.length > 0)
    .map(([word, parts]) => `${word} ${names(parts)}`)
    .join("; ");
}

function names(parts: readonly Part[]): string {
  const shown = parts
    .slice(0, MOST_NAMES)
    .map((one) =>
      shorten(one.written === null ? one.name : (parseNodeId(one.name)?.name ?? one.name), 32),
    );
  const left = parts.length - shown.length;
  return left > 0 ? `${shown.join(", ")} and ${left} more` : shown.join(", ");
}
