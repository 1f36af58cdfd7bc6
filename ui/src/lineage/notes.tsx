import type { Drawing } from "@/graph/drawn";
import { parseNodeId } from "@/graph/node-id";
import { shorten } from "@/graph/shorten";
import type { View } from "@/graph/view";
import { fullTime } from "@/text/time";

/** What there is to say about a drawing besides the drawing. */
export function notesOf(
  drawing: Drawing,
  isTruncated: boolean,
  reason: string | undefined,
): string[] {
  const notes: string[] = [];
  if (drawing.isRolledUp)
    notes.push("Too many nodes to read: rolled up by namespace. Choose one to narrow it down.");
  // A stub may stand out of sight, and a large fan-out must never go unseen.
  const left = drawing.nodes.reduce((sum, one) => sum + (one.type === "stub" ? one.count : 0), 0);
  if (left > 0)
    notes.push(
      `${counted(left, "more neighbour stands behind a stub", "more neighbours stand behind stubs")}.`,
    );
  if (isTruncated) notes.push("The server holds more than it sent; counts are at least these.");
  if (drawing.filteredOut > 0)
    notes.push(`${counted(drawing.filteredOut, "node does", "nodes do")} not fit the filter.`);
  if (drawing.tooWide > 0)
    notes.push(
      `${counted(drawing.tooWide, "job is", "jobs are")} shown still: too many lines would stand in the place.`,
    );
  if (reason) notes.push(`Drawn in plain columns: ${reason}.`);
  return notes;
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Which time is shown, where it is not now. */
function whenWords({ asOf, before, after }: View): string | undefined {
  if (before !== undefined)
    return `What came and went from ${fullTime(before)} to ${after === undefined ? "now" : fullTime(after)}.`;
  return asOf === undefined ? undefined : `Edges as of ${fullTime(asOf)}; states are those of now.`;
}

interface NotesSaid {
  view: View;
  texts: readonly string[];
  /** Why what is shown may be old. */
  problem: string | undefined;
  again: () => void;
  isPlacing: boolean;
  cancel: () => void;
  reset: (() => void) | undefined;
  change: (said: Partial<Record<keyof View, unknown>>) => void;
}

export function Notes({
  view,
  texts,
  problem,
  again,
  isPlacing,
  cancel,
  reset,
  change,
}: NotesSaid) {
  const column = view.column === undefined ? undefined : parseNodeId(view.column)?.field;
  const only = view.only === undefined ? undefined : parseNodeId(view.only)?.name;
  const when = whenWords(view);
  const row = "card flex w-fit items-center gap-2 px-2.5 py-1 text-[12px] shadow-sm";
  return (
    <div role="status" aria-label="About this view" className="flex flex-col gap-1.5">
      {problem !== undefined && (
        <span className={`${row} text-bad`}>
          Could not be brought up to date: {problem}.
          <button type="button" className="link" onClick={again}>
            Try again
          </button>
        </span>
      )}
      {isPlacing && (
        <span className={row}>
          Laying out…
          <button type="button" className="link" onClick={cancel}>
            Cancel
          </button>
        </span>
      )}
      {column !== undefined && (
        <span className={row}>
          <span>
            Path of the column <bdi className="font-mono font-semibold">{shorten(column, 40)}</bdi>
          </span>
          <button type="button" className="link" onClick={() => change({ column: undefined })}>
            Show all
          </button>
        </span>
      )}
      {only !== undefined && (
        <span className={row}>
          <span>
            Only the path to <bdi className="font-semibold">{shorten(only, 40)}</bdi>
          </span>
          <button type="button" className="link" onClick={() => change({ only: undefined })}>
            Show all
          </button>
        </span>
      )}
      {when !== undefined && (
        <span className={row}>
          {when}
          <button
            type="button"
            className="link"
            onClick={() => change({ asOf: undefined, before: undefined, after: undefined })}
          >
            Back to now
          </button>
        </span>
      )}
      {reset && (
        <span className={row}>
          Some nodes were moved by hand.
          <button type="button" className="link" onClick={reset}>
            Put them back
          </button>
        </span>
      )}
      {texts.map((text) => (
        <span key={text} className={row}>
          {text}
        </span>
      ))}
    </div>
  );
}
