import type { DrawnNode } from "./drawn";

/** Sizes are known before anything is drawn, so that layout, page and export agree. */
export const WIDTH = 248;
export const HEIGHT = 94;
export const STUB_WIDTH = 150;
export const STUB_HEIGHT = 36;
export const COLUMN_HEIGHT = 22;
export const COLUMN_FOOT = 20;

export interface Size {
  width: number;
  height: number;
}

/** How much room a node takes, with so many column rows and a line for those left out. */
export function sizeOf(one: DrawnNode, columns = 0, left = 0): Size {
  if (one.type === "stub") return { width: STUB_WIDTH, height: STUB_HEIGHT };
  if (one.type === "group") return { width: WIDTH, height: HEIGHT };
  const list = columns > 0 ? columns * COLUMN_HEIGHT + 6 : 0;
  return { width: WIDTH, height: HEIGHT + list + (left > 0 ? COLUMN_FOOT : 0) };
}

/** Where the middle of a column's row is, below the top of its node. */
export const columnMiddle = (row: number): number => HEIGHT + 3 + (row + 0.5) * COLUMN_HEIGHT;
