import type { LayoutTask } from "../src/graph/placing.ts";
import {
  COLUMN_FOOT,
  COLUMN_HEIGHT,
  HEIGHT,
  STUB_HEIGHT,
  STUB_WIDTH,
  WIDTH,
} from "../src/graph/size.ts";

type Chance = () => number;
type Ends = readonly [number, number];

/** How a graph of so many nodes may be joined. */
type Shape = (nodes: number, chance: Chance) => Ends[];

const PLAIN: Record<string, Shape> = {
  alone: () => [],
  chain: (nodes) => range(nodes - 1).map((at) => [at, at + 1]),
  ring: (nodes) => range(nodes).map((at) => [at, (at + 1) % nodes]),
  fanOut: (nodes) => range(nodes - 1).map((at) => [0, at + 1]),
  fanIn: (nodes) => range(nodes - 1).map((at) => [at + 1, 0]),
  tree: (nodes) => range(nodes - 1).map((at) => [Math.floor(at / 3), at + 1]),
  own: (nodes) =>
    range(nodes).flatMap((at) => [
      [at, at],
      [at, (at + 2) % nodes],
    ]),
  twice: (nodes) =>
    range(nodes - 1).flatMap((at) => [
      [at, at + 1],
      [at, at + 1],
      [at + 1, at],
    ]),
  pieces: (nodes) =>
    range(nodes)
      .flatMap((at) => (at % 4 === 3 ? [] : [[at, at + 1] as const]))
      .filter(([, to]) => to < nodes),
};

const RANDOM: Record<string, Shape> = {
  layers: (nodes, chance) =>
    range(nodes * 2).map(() => {
      const from = pick(nodes, chance);
      return [from, Math.min(nodes - 1, from + 1 + pick(8, chance))];
    }),
  acyclic: (nodes, chance) =>
    anyEnds(nodes, nodes * 1.5, chance).map(([a, b]) => (a < b ? [a, b] : [b, a])),
  sparse: (nodes, chance) => anyEnds(nodes, nodes * 0.7, chance),
  dense: (nodes, chance) => anyEnds(nodes, nodes * 2.5, chance),
};

const SHAPES = { ...PLAIN, ...RANDOM };
const FLOWS = ["LR", "TB"] as const;

/** What elk is cut by. The second seed goes where two thousand other graphs of chance did not. */
export function* samples(): Generator<LayoutTask> {
  yield* layouts(1, [1, 2, 5, 12, 30]);
  yield* layouts(11, [14, 18], RANDOM);
}

/** Layouts of every shape and size; another seed gives others. */
export function* layouts(
  seed: number,
  sizes: readonly number[],
  shapes: Record<string, Shape> = SHAPES,
): Generator<LayoutTask> {
  const chance = chances(seed);
  for (const joined of Object.values(shapes)) {
    for (const nodes of sizes) {
      for (const flow of FLOWS) yield taskOf(nodes, joined(nodes, chance), flow, chance);
    }
  }
}

function taskOf(
  nodes: number,
  ends: readonly Ends[],
  flow: LayoutTask["flow"],
  chance: Chance,
): LayoutTask {
  const hasColumns = chance() < 0.5;
  return {
    boxes: range(nodes).map((at) => ({ id: `n${at}`, ...sizeBy(chance, hasColumns) })),
    lines: ends.map(([from, to], at) => ({ id: `e${at}`, source: `n${from}`, target: `n${to}` })),
    flow,
  };
}

function sizeBy(chance: Chance, hasColumns: boolean): { width: number; height: number } {
  if (chance() < 0.1) return { width: STUB_WIDTH, height: STUB_HEIGHT };
  if (!hasColumns || chance() < 0.4) return { width: WIDTH, height: HEIGHT };
  const list = pick(40, chance) * COLUMN_HEIGHT + 6;
  return { width: WIDTH, height: HEIGHT + list + (chance() < 0.3 ? COLUMN_FOOT : 0) };
}

const range = (length: number): number[] =>
  Array.from({ length: Math.max(0, length) }, (_, at) => at);
const pick = (below: number, chance: Chance): number => Math.floor(chance() * below);
const anyEnds = (nodes: number, count: number, chance: Chance): Ends[] =>
  range(Math.floor(count)).map(() => [pick(nodes, chance), pick(nodes, chance)]);

/** The same numbers for the same seed, on every machine (mulberry32). */
function chances(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
