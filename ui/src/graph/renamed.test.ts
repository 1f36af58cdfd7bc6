import { expect, test } from "vitest";
import { namedIn, renamed } from "./renamed";
import { readView } from "./view";

const OLD = "dataset:postgres://db:5432:Orders";
const NEW = "dataset:postgres://db:5432:orders";
const JOB = "job:spark://jobs:load";
const viewOf = (dataset: string) =>
  readView({
    node: dataset,
    select: dataset,
    only: dataset,
    cols: [dataset],
    open: [`up:${dataset}`, `down:${JOB}`],
    shut: [`down:${dataset}`],
    more: { [`up:${dataset}`]: 25 },
    column: dataset.replace("dataset:", "datasetField:").concat(":id"),
  });

test("a view follows its nodes to the names they go by", () => {
  expect(renamed(viewOf(OLD), new Map([[OLD, NEW]]))).toEqual(viewOf(NEW));
});

test("a view without a new name stays as it is", () => {
  const plain = readView({ node: JOB });
  expect(renamed(plain, new Map([[OLD, NEW]]))).toEqual(plain);
  expect(renamed(viewOf(OLD), new Map())).toEqual(viewOf(OLD));
});

test("two names in one view become one", () => {
  const both = readView({ node: JOB, cols: [OLD, NEW], open: [`up:${NEW}`, `up:${OLD}`] });
  const one = readView({ node: JOB, cols: [NEW], open: [`up:${NEW}`] });
  expect(renamed(both, new Map([[OLD, NEW]]))).toEqual(one);
});

test("every node that a view names is known", () => {
  expect([...namedIn(viewOf(OLD))].sort()).toEqual([OLD, JOB].sort());
  expect([...namedIn(readView({ node: JOB }))]).toEqual([JOB]);
});
