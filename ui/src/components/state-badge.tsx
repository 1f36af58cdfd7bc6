import type { State, Tone } from "@/graph/state";

const COLOURS: Record<Tone, string> = {
  good: "text-good bg-good-ground",
  bad: "text-bad bg-bad-ground",
  warning: "text-warning bg-warning-ground",
  unknown: "text-unknown bg-unknown-ground",
  quiet: "text-quiet bg-quiet-ground",
};
/** A shape besides the colour, for those who cannot tell the colours apart. */
const MARKS: Record<Tone, string> = { good: "●", bad: "■", warning: "▲", unknown: "?", quiet: "○" };

export function StateBadge({ state }: { state: State | undefined }) {
  if (!state) return null;
  return (
    <span
      title={state.reason}
      className={`inline-flex items-center gap-1 rounded align-middle px-1.5 py-px text-[11px] leading-4 font-medium whitespace-nowrap ${COLOURS[state.tone]}`}
    >
      <span aria-hidden className="text-[8px]">
        {MARKS[state.tone]}
      </span>
      {state.word}
    </span>
  );
}
