import type { ApiNode } from "./types";

export type Tone = "good" | "bad" | "warning" | "unknown" | "quiet";

export interface State {
  /** The word that filters and addresses use. */
  code: string;
  word: string;
  tone: Tone;
  /** Why, where there is more to say than the word. */
  reason?: string;
}

const WORDS: Record<string, [string, Tone]> = {
  RUNNING: ["Running", "good"],
  COMPLETED: ["Completed", "good"],
  FAILED: ["Failed", "bad"],
  ABORTED: ["Stopped", "warning"],
  NEW: ["New", "quiet"],
};
/** Every state that a job can be looked for by, in words. */
export const STATE_WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(WORDS).map(([code, [word]]) => [code, word] as const),
  ["DEGRADED", "Degraded"],
  ["UNKNOWN", "Unknown"],
]);

/** A run's state in words; one that stopped reporting is unknown, whatever it said last. */
export function runState(
  state: string | null | undefined,
  stale: boolean,
  degraded?: string | null,
): State | undefined {
  if (!state) return undefined;
  if (stale) {
    return { code: "UNKNOWN", word: "Unknown", tone: "unknown", reason: "it stopped reporting" };
  }
  if (state === "RUNNING" && degraded) {
    return { code: "DEGRADED", word: "Degraded", tone: "warning", reason: degraded };
  }
  const [word, tone] = WORDS[state] ?? [state.toLowerCase(), "quiet" as const];
  return { code: state, word, tone };
}

export const stateOf = (node: Pick<ApiNode, "state" | "stale" | "connector">): State | undefined =>
  runState(node.state, node.stale, node.connector?.degraded);

/** The state of a run as Marquez's shapes tell it: why a connector is degraded is in its facet. */
export function stateOfRun(run: {
  state: string;
  stale: boolean;
  facets: Readonly<Record<string, unknown>>;
}): State | undefined {
  const facet = run.facets.mainstem_connector as { degraded?: unknown } | undefined;
  const degraded = facet?.degraded;
  return runState(run.state, run.stale, typeof degraded === "string" ? degraded : undefined);
}
