import type { Flow, Place } from "./placing";

/** A calm line from one place to another, leaving and arriving along the flow. */
export function curve(from: Place, to: Place, flow: Flow): string {
  const reach = flow === "LR" ? bend(to.x - from.x) : bend(to.y - from.y);
  const [first, last] =
    flow === "LR"
      ? [`${r(from.x + reach)} ${r(from.y)}`, `${r(to.x - reach)} ${r(to.y)}`]
      : [`${r(from.x)} ${r(from.y + reach)}`, `${r(to.x)} ${r(to.y - reach)}`];
  return `M${r(from.x)} ${r(from.y)} C${first} ${last} ${r(to.x)} ${r(to.y)}`;
}

/** A line between two columns; from top to bottom it runs beside the cards, not across them. */
export function columnCurve(from: Place, to: Place, flow: Flow): string {
  if (flow === "LR") return curve(from, to, flow);
  const x = r(Math.max(from.x, to.x) + BESIDE);
  return `M${r(from.x)} ${r(from.y)} C${x} ${r(from.y)} ${x} ${r(to.y)} ${r(to.x)} ${r(to.y)}`;
}

/** Whether a column's line ends at the left of its card, or else at the right. */
export const endsLeft = (flow: Flow): boolean => flow === "LR";

const BESIDE = 56;

// A line that runs against the flow needs a wider bend to be seen at all.
const bend = (distance: number): number =>
  distance >= 0 ? distance / 2 : 40 + Math.sqrt(-distance) * 6;
const r = (value: number): number => Math.round(value * 10) / 10;
