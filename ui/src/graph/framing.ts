import { type Flow, GAP, type Place } from "./placing";
import { HEIGHT, type Size, WIDTH } from "./size";

/** Below this a card's text cannot be read; above the other it would only look coarse. */
const SMALLEST = 0.7;
const LARGEST = 1;
const MARGIN = 40;
/** From one card to the next, along each axis. */
const STEPS = {
  LR: { x: WIDTH + GAP.layer, y: HEIGHT + GAP.node },
  TB: { x: WIDTH + GAP.node, y: HEIGHT + GAP.layer },
} as const;

/** Whether a box can be seen whole from where one looks. */
export function isInSight(box: Place & Size, view: Place & { zoom: number }, pane: Size): boolean {
  const within = (start: number, length: number, offset: number, room: number) =>
    start * view.zoom + offset >= 0 && (start + length) * view.zoom + offset <= room;
  return (
    within(box.x, box.width, view.x, pane.width) && within(box.y, box.height, view.y, pane.height)
  );
}

/** The smallest zoom at which cards can be read and no layer of them is cut by the pane's edge. */
function zoomForLayers(room: number, layer: number): number {
  const layers = Math.floor(((room - 2 * MARGIN) / SMALLEST + GAP.layer) / layer);
  return Math.max(SMALLEST, (room - 2 * MARGIN) / Math.max(1, layers * layer - GAP.layer));
}

/** Where to look at a drawing from: all of it if it can be read so, else from around one place; `from` how near, where that is chosen. */
export function framed(
  drawing: Place & Size,
  around: Place | undefined,
  pane: Size,
  flow: Flow,
  from?: number,
): Place & { zoom: number } {
  const steps = STEPS[flow];
  const whole = Math.min(
    (pane.width - 2 * MARGIN) / Math.max(1, drawing.width),
    (pane.height - 2 * MARGIN) / Math.max(1, drawing.height),
  );
  const layers =
    flow === "LR" ? zoomForLayers(pane.width, steps.x) : zoomForLayers(pane.height, steps.y);
  const zoom = from ?? Math.min(LARGEST, Math.max(whole, layers));
  const along = (
    start: number,
    length: number,
    wanted: number | undefined,
    room: number,
    step: number,
  ) => {
    const seen = room / zoom;
    const margin = MARGIN / zoom;
    if (length + 2 * margin <= seen) return (start + length / 2 - seen / 2) * -zoom;
    // No more emptiness than the margin at either end.
    const before = Math.floor((seen * 0.4) / step) * step + margin;
    const from = (wanted ?? start) - Math.min(before, seen * 0.4);
    const last = start + length + margin - seen;
    return Math.min(last, Math.max(start - margin, from)) * -zoom;
  };
  return {
    x: along(drawing.x, drawing.width, around?.x, pane.width, steps.x),
    y: along(drawing.y, drawing.height, around?.y, pane.height, steps.y),
    zoom,
  };
}
