import * as fc from "fast-check";
import { expect, test } from "vitest";
import { framed, isInSight } from "./framing";
import { GAP } from "./placing";
import { HEIGHT, WIDTH } from "./size";

const pane = { width: 1200, height: 700 };
const length = fc.integer({ min: 1, max: 20_000 });
const part = fc.nat(1000);
const flow = fc.constantFrom("LR", "TB");
const place = fc.integer({ min: -5000, max: 5000 });

test("a drawing is whole where it can be read, else its root is in sight and no end is left", () => {
  fc.assert(
    fc.property(place, place, length, length, part, part, flow, (x, y, w, h, px, py, along) => {
      const box = { x, y, width: w, height: h };
      const root = { x: x + (w * px) / 1000, y: y + (h * py) / 1000 };
      const from = framed(box, root, pane, along);
      expect(from.zoom).toBeGreaterThanOrEqual(0.7);
      expect(from.zoom).toBeLessThanOrEqual(1);
      for (const [axis, size] of [
        ["x", "width"],
        ["y", "height"],
      ] as const) {
        const onScreen = (at: number) => at * from.zoom + from[axis];
        const [start, end] = [onScreen(box[axis]), onScreen(box[axis] + box[size])];
        const isWhole = start >= -1 && end <= pane[size] + 1;
        const fits = box[size] * from.zoom <= pane[size] - 80;
        if (fits) expect(isWhole).toBe(true);
        else {
          expect(start).toBeLessThanOrEqual(41);
          expect(end).toBeGreaterThanOrEqual(pane[size] - 41);
        }
        const middle = onScreen(root[axis]);
        expect(middle).toBeGreaterThanOrEqual(-1);
        expect(middle).toBeLessThanOrEqual(pane[size] + 1);
      }
    }),
  );
});

test("a box is in sight only where all of it is within the pane", () => {
  const box = { x: 100, y: 100, width: 200, height: 90 };
  expect(isInSight(box, { x: 0, y: 0, zoom: 1 }, pane)).toBe(true);
  expect(isInSight(box, { x: -101, y: 0, zoom: 1 }, pane)).toBe(false);
  expect(isInSight(box, { x: 901, y: 0, zoom: 1 }, pane)).toBe(false);
  expect(isInSight(box, { x: 0, y: 511, zoom: 1 }, pane)).toBe(false);
  expect(isInSight(box, { x: 0, y: 0, zoom: 5 }, pane)).toBe(false);
});

test("whichever way the graph runs, no layer of cards is cut at the end of the window", () => {
  for (const [along, size, axis, step, card] of [
    ["LR", "width", "x", WIDTH + GAP.layer, WIDTH],
    ["TB", "height", "y", HEIGHT + GAP.layer, HEIGHT],
  ] as const) {
    const box = { x: 0, y: 0, width: WIDTH, height: HEIGHT, [size]: 9 * step + card };
    const from = framed(box, { x: 0, y: 0 }, pane, along);
    for (let layer = 0; layer < 10; layer++) {
      const start = layer * step * from.zoom + from[axis];
      const isCut = start < pane[size] && start + card * from.zoom > pane[size];
      expect(isCut, `layer ${layer} of ${along}`).toBe(false);
    }
  }
});
