import { expect, test } from "vitest";
import { bareNode } from "./bare-node";
import { type NewsItem, newsAddress, newsTitle, newsWords } from "./news";

const LOAD = { id: "job:spark://jobs:load", namespace: "spark://jobs", name: "load" };

const item = (said: Partial<NewsItem>): NewsItem => ({
  what: "STATE",
  at: "2026-11-15T10:00:00Z",
  node: bareNode({ ...LOAD, type: "JOB", kind: "SPARK" }),
  count: 1,
  before: null,
  after: null,
  added: [],
  removed: [],
  changed: [],
  ...said,
});
const dataset = (name: string, written: boolean) => ({
  name: `dataset:s3://lake:${name}`,
  written,
});
const column = (name: string) => ({ name, written: null });

test("edges are told by what is read and written, not by node ids", () => {
  const added = [dataset("raw/orders", false), dataset("out", true)];
  const removed = [dataset("old", false)];
  expect(newsWords(item({ what: "EDGES", added, removed }))).toBe(
    "now reads raw/orders; now writes out; no longer reads old",
  );
});

test("columns that came, went and changed are told, long lists by their count", () => {
  const added = ["a", "b", "c", "d", "e"].map(column);
  const said = item({ what: "SCHEMA", added, changed: [column("x")] });
  expect(newsWords(said)).toBe("added a, b, c and 2 more; changed x");
  expect(newsWords(item({ what: "SCHEMA" }))).toContain("in another order");
});

test("a state is told from and to, in the words of the badges", () => {
  expect(newsWords(item({ before: "RUNNING", after: "UNKNOWN" }))).toBe("Running → Unknown");
});

test("every kind leads to where it can be seen", () => {
  const since = "2026-11-14T10:00:00Z";
  const versions = { before: "v1", after: "v2" };
  const node = LOAD.id;
  expect(newsAddress(item({ what: "EDGES" }), since)).toEqual({
    to: "/lineage",
    search: { node, before: since },
  });
  expect(newsAddress(item({ what: "CONFIG", ...versions }), since)).toEqual({
    to: "/job",
    search: { node, ...versions },
  });
  expect(newsAddress(item({ what: "SCHEMA", ...versions }), since).to).toBe("/dataset");
  expect(newsAddress(item({ what: "DATASET" }), since).to).toBe("/lineage");
});

test("many new ones of a namespace are one line, which leads to all of them", () => {
  const many = item({ what: "JOB", count: 1200 });
  expect(newsTitle(many)).toBe("1,200 jobs in spark://jobs");
  expect(newsWords(many)).toBe("load is the newest");
  expect(newsAddress(many, "2026-11-14T10:00:00Z")).toEqual({
    to: "/search",
    search: { type: "JOB", namespace: "spark://jobs" },
  });
  expect(newsTitle(item({ what: "JOB" }))).toBe("load");
});
