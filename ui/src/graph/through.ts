import { stateOf } from "./state";
import type { Edge } from "./types";

/** Whether a hidden job between two datasets failed: hidden must not mean unseen. */
export const isFailing = ({ through = [] }: Pick<Edge, "through">): boolean =>
  through.some((job) => stateOf(job)?.tone === "bad");

/** What an edge says of the hidden jobs that it stands for, where there is more than that one is. */
export function throughLabel(edge: Pick<Edge, "through">): string | undefined {
  const count = edge.through?.length ?? 0;
  return (
    [isFailing(edge) ? "Failed" : "", count > 1 ? `${count} jobs` : ""]
      .filter(Boolean)
      .join(", ") || undefined
  );
}

/** The hidden jobs by name, each with its state. */
export function throughWords({ through = [] }: Pick<Edge, "through">): string | undefined {
  if (through.length === 0) return undefined;
  const named = through.map((job) => {
    const state = stateOf(job);
    return state ? `${job.name} (${state.word.toLowerCase()})` : job.name;
  });
  return `through ${named.join(", ")}`;
}
