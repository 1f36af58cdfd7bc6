import { expect, test } from "vitest";
import { elkGraph } from "../src/layout/elk-graph.ts";
import { layouts } from "./layouts.ts";
import { elkSource, loadElk, prune } from "./pruned-elk.ts";

/** Graphs that nothing was left out by: several hundred small ones, some as large as a screen holds. */
const OTHERS: readonly [seed: number, sizes: readonly number[]][] = [
  [101, [3, 4, 7, 10]],
  [102, [6, 9, 14]],
  [103, [2, 8, 18]],
  [104, [11, 40]],
];

test("what is left of elk lays every other graph out as the whole of it does", async () => {
  const source = await elkSource();
  const pruned = await prune(source);
  expect(pruned).toContain("EPL-2.0");
  const [whole, left] = [loadElk(source, "whole.js"), loadElk(pruned, "left.js")];
  const tasks = OTHERS.flatMap(([seed, sizes]) => [...layouts(seed, sizes)]);
  expect(tasks.length).toBeGreaterThan(300);
  for (const task of tasks) {
    const expected = await whole.layout(elkGraph(task));
    expect(await left.layout(elkGraph(task))).toEqual(expected);
  }
}, 600_000);
