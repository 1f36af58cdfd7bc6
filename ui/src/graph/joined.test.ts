import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Confidence, knownWords, leastSure, POSSIBLE } from "./confidence";
import type { Drawing } from "./drawn";
import { MOST_JOINED } from "./joined";
import { graphAsOpenLineage } from "./openlineage";
import { hopsAsked, walksOf } from "./requests";
import { edgeRows } from "./rows";
import { anyGraph, graphOf, telling } from "./sample";
import { sceneOf } from "./scene";
import { isFailing, throughLabel, throughWords } from "./through";
import type { Graph } from "./types";
import { readView, type View } from "./view";
import { draw } from "./visible";

const viewOf = (said: Partial<View> & { node: string }): View => ({
  ...readView({ hideJobs: true }),
  ...said,
});
const pairsOf = ({ edges }: Pick<Drawing, "edges">) =>
  edges.map((edge) => `${edge.source} ${edge.target}`).sort();

/** Which dataset becomes which by one job, told in the plainest way, and by which jobs. */
function ways(graph: Graph): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const edges = [...graph.edges.values()];
  for (const into of edges) {
    for (const out of edges) {
      if (into.target !== out.source || into.source === out.target) continue;
      if (!into.target.startsWith("job:")) continue;
      const key = `${into.source} ${out.target}`;
      found.set(key, new Set([...(found.get(key) ?? []), into.target]));
    }
  }
  return found;
}

const started = anyGraph
  .map(({ graph, ids }) => ({ graph, ids: ids.filter((id) => id.startsWith("dataset:")) }))
  .chain(({ graph, ids }) =>
    fc.record({ graph: fc.constant(graph), node: fc.constantFrom(...ids), hops: fc.nat(3) }),
  );

/** The plainest search along those ways. */
function within(along: readonly string[], start: string, hops: number): Set<string> {
  const seen = new Set([start]);
  let level = new Set(seen);
  for (let hop = 0; hop < hops; hop++) {
    const next = along.map((key) => key.split(" ") as [string, string]);
    level = new Set(next.flatMap(([from, to]) => (level.has(from) && !seen.has(to) ? [to] : [])));
    for (const id of level) seen.add(id);
  }
  return seen;
}

test("datasets alone are joined as their jobs joined them, and a hop is from one to the next", () => {
  fc.assert(
    fc.property(started, ({ graph, node, hops }) => {
      const drawing = draw(graph, viewOf({ node, up: 0, down: hops }));
      const expected = ways(graph);
      const shown = within([...expected.keys()], node, hops);
      expect(new Set(drawing.nodes.map((one) => one.id))).toEqual(shown);
      expect(pairsOf(drawing)).toEqual(
        [...expected.keys()].filter((key) => key.split(" ").every((id) => shown.has(id))).sort(),
      );
      for (const edge of drawing.edges) {
        const through = new Set(edge.through?.map((job) => job.id));
        expect(through).toEqual(expected.get(`${edge.source} ${edge.target}`));
      }
      for (const one of drawing.nodes) {
        if (one.type !== "node") continue;
        const after = [...expected.keys()].filter((key) => key.startsWith(`${one.id} `));
        expect(one.hidden.down).toBe(
          after.filter((key) => !shown.has(key.split(" ")[1] as string)).length,
        );
      }
    }),
  );
});

const CDC = graphOf(
  [
    ["dataset:a", "job:cdc"],
    ["dataset:b", "job:cdc"],
    ["job:cdc", "dataset:x"],
    ["job:cdc", "dataset:y"],
    ["dataset:x", "job:sink"],
    ["job:sink", "dataset:z"],
  ],
  { "job:sink": { state: "FAILED" }, "job:cdc": { state: "RUNNING" } },
);
const PAIRS = [
  { source: "dataset:a", target: "dataset:x" },
  { source: "dataset:b", target: "dataset:y" },
];

test("what a job tells of its pairs is not multiplied; what it does not tell is only possible", () => {
  const view = viewOf({ node: "dataset:x", up: 1, down: 1 });
  const told = draw(telling(CDC, { "job:cdc": PAIRS }), view);
  expect(pairsOf(told)).toEqual(["dataset:a dataset:x", "dataset:x dataset:z"]);
  expect(told.edges.map((edge) => edge.evidence)).toEqual(["reported", "reported"]);
  expect(told.hiddenJobs).toBe(2);
  const untold = draw(CDC, view);
  expect(pairsOf(untold)).toEqual([
    "dataset:a dataset:x",
    "dataset:b dataset:x",
    "dataset:x dataset:z",
  ]);
  const evidence = untold.edges.map((edge) => edge.evidence).sort();
  expect(evidence).toEqual([POSSIBLE, POSSIBLE, "reported"]);
  expect(untold.edges.map((edge) => edge.confidence).sort()).toEqual([
    "certain",
    POSSIBLE,
    POSSIBLE,
  ]);
});

/** The graph with some edges less sure than certain. */
function doubted(graph: Graph, doubts: Record<string, Confidence>): Graph {
  const edges = [...graph.edges].map(([id, edge]) => {
    const confidence = doubts[`${edge.source} ${edge.target}`] ?? edge.confidence;
    return [id, { ...edge, ...(confidence ? { confidence } : {}) }] as const;
  });
  return { ...graph, edges: new Map(edges) };
}

test("a way is as sure as its least sure edge, and of several jobs the surest counts", () => {
  const graph = doubted(
    graphOf([
      ["dataset:a", "job:one"],
      ["job:one", "dataset:b"],
      ["dataset:a", "job:two"],
      ["job:two", "dataset:b"],
      ["dataset:b", "job:three"],
      ["job:three", "dataset:c"],
    ]),
    {
      "dataset:a job:one": "likely",
      "job:two dataset:b": "declared",
      "dataset:b job:three": "unknown",
    },
  );
  const { edges } = draw(graph, viewOf({ node: "dataset:b" }));
  expect(Object.fromEntries(edges.map((edge) => [edge.target, edge.confidence]))).toEqual({
    "dataset:b": "declared",
    "dataset:c": "unknown",
  });
});

test("the least sure of two is the same either way, and a word is not said twice", () => {
  const words: Confidence[] = ["certain", "declared", "likely", "unknown", POSSIBLE];
  fc.assert(
    fc.property(fc.constantFrom(...words), fc.constantFrom(...words), (one, other) => {
      expect(leastSure(one, other)).toBe(leastSure(other, one));
      expect(words.indexOf(leastSure(one, other))).toBe(
        Math.max(words.indexOf(one), words.indexOf(other)),
      );
    }),
  );
  expect(knownWords({ evidence: "config", confidence: "likely" })).toBe("likely: config");
  expect(knownWords({ evidence: POSSIBLE, confidence: POSSIBLE })).toBe(POSSIBLE);
  expect(knownWords({ evidence: "rolled up" })).toBe("rolled up");
});

test("a hidden job that failed is seen on its edge, and each is named", () => {
  const { edges } = draw(CDC, viewOf({ node: "dataset:x" }));
  const failed = edges.filter(isFailing);
  expect(failed.map((edge) => edge.target)).toEqual(["dataset:z"]);
  expect(failed.map(throughLabel)).toEqual(["Failed"]);
  expect(failed.map(throughWords)).toEqual(["through job:sink (failed)"]);
  const onlyRunning = draw(CDC, viewOf({ node: "dataset:x", state: "RUNNING" }));
  expect(onlyRunning.edges.filter(isFailing)).toEqual([]);
});

test("a job that is the root stays, and the hops asked of the server count the hidden jobs", () => {
  const { nodes } = draw(CDC, viewOf({ node: "job:cdc", down: 2 }));
  expect(nodes.map((one) => one.id).sort()).toEqual(
    ["dataset:a", "dataset:b", "dataset:x", "dataset:y", "dataset:z", "job:cdc"].sort(),
  );
  const view = viewOf({ node: "job:cdc", down: 2, up: 0, open: ["down:dataset:z"] });
  expect(walksOf(view).map((walk) => [walk.node, walk.depth, walk.pairs])).toEqual([
    ["job:cdc", 0, true],
    ["job:cdc", 3, true],
    ["dataset:z", 2, true],
  ]);
  expect(hopsAsked({ ...view, hideJobs: false }, "job:cdc", 2)).toBe(2);
});

test("jobs that would become too many lines stay and are counted", () => {
  const side = Math.ceil(Math.sqrt(MOST_JOINED)) + 1;
  const pairs = Array.from({ length: side }, (_, at) => [
    [`dataset:in${at}`, "job:wide"] as const,
    ["job:wide", `dataset:out${at}`] as const,
  ]).flat();
  const more = { "down:dataset:in0": 9999, "up:job:wide": 9999, "down:job:wide": 9999 };
  const graph = graphOf([...pairs, ["dataset:in0", "job:small"], ["job:small", "dataset:end"]]);
  const drawing = draw(graph, viewOf({ node: "dataset:in0", down: 2, more }));
  expect(drawing).toMatchObject({ hiddenJobs: 1, tooWide: 1 });
  expect(drawing.edges.length).toBeLessThan(MOST_JOINED);
  const pair = { source: "dataset:in0", target: "dataset:out0" };
  const paired = telling(graph, { "job:wide": [pair] });
  expect(draw(paired, viewOf({ node: "dataset:in0", more }))).toMatchObject({
    hiddenJobs: 2,
    tooWide: 0,
  });
});

test("exports tell the jobs that were hidden: as OpenLineage they are the edges that were", () => {
  fc.assert(
    fc.property(started, ({ graph, node }) => {
      const drawing = draw(graph, viewOf({ node, up: 9, down: 9 }));
      const scene = sceneOf({
        drawing,
        fields: new Map(),
        links: [],
        lit: undefined,
        litNodes: new Set(),
      });
      const events = graphAsOpenLineage(scene, "2026-11-15T12:00:00Z").split("\n").filter(Boolean);
      const told = events.map((line) => JSON.parse(line));
      const rows = edgeRows(scene);
      expect(new Set(told.map((one) => one.job.name))).toEqual(
        new Set(rows.flatMap((row) => row.through)),
      );
      for (const { job, inputs, outputs } of told) {
        for (const { name } of inputs) expect(graph.down.get(name)).toContain(job.name);
        for (const { name } of outputs) expect(graph.up.get(name)).toContain(job.name);
      }
    }),
  );
});

test("a platform or a cluster shows what lies there and what touches that", () => {
  const graph = graphOf(
    [
      ["dataset:table", "job:cdc"],
      ["job:cdc", "dataset:topic"],
      ["dataset:topic", "job:sink"],
      ["job:sink", "dataset:lake"],
    ],
    {
      "dataset:table": { platform: "postgres", cluster: "postgres://db:5432" },
      "dataset:topic": { platform: "kafka", cluster: "kafka://b:9092" },
      "job:cdc": { platform: "kafka-connect", cluster: "kafka-connect://east" },
      "job:sink": { platform: "kafka-connect", cluster: "kafka-connect://west" },
      "dataset:lake": { platform: "s3" },
    },
  );
  const shown = (said: Partial<View>) =>
    draw(graph, { ...readView({}), node: "dataset:topic", up: 9, down: 9, ...said });
  const ids = (said: Partial<View>) => shown(said).nodes.map((one) => one.id.split(":")[1]);
  expect(ids({ platform: "kafka" }).sort()).toEqual(["cdc", "sink", "topic"]);
  expect(ids({ cluster: "kafka-connect://west" }).sort()).toEqual(["lake", "sink", "topic"]);
  expect(ids({ platform: "kafka-connect", cluster: "kafka://b:9092" })).toEqual(["topic"]);
  expect(shown({ platform: "s3" })).toMatchObject({ filteredOut: 2 });
  expect(ids({ cluster: "kafka-connect://west", hideJobs: true }).sort()).toEqual([
    "lake",
    "topic",
  ]);
});
