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
export function runState(state: string | null | undefined, stale: boolean): State | undefined {
  if (!state) return undefined;
  if (stale) {
    return { code: "UNKNOWN", word: "Unknown", tone: "unknown", reason: "it stopped reporting" };
  }
  const [word, tone] = WORDS[state] ?? [state.toLowerCase(), "quiet" as const];
  return { code: state, word, tone };
}

export function stateOf(node: ApiNode): State | undefined {
  const state = runState(node.state, node.stale);
  const degraded = node.connector?.degraded;
  if (state?.code === "RUNNING" && degraded) {
    return { code: "DEGRADED", word: "Degraded", tone: "warning", reason: degraded };
  }
  return state;
}
