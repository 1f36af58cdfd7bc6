import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fieldRows, listColumns } from "./fields";
import { litBy, litNodes } from "./lit";
import { fieldId } from "./node-id";
import { graphAsOpenLineage } from "./openlineage";
import { keepInPlace, placeInColumns } from "./placing";
import { csv, edgeRows, edgesAsCsv, graphAsJson } from "./rows";
import { anyGraph, connectorOf, graphOf, nodeOf } from "./sample";
import { type Scene, sceneOf } from "./scene";
import { runState, stateOf } from "./state";
import { svgOf, xml } from "./svg";
import type { ColumnGraph, Graph } from "./types";
import { readView } from "./view";
import { draw } from "./visible";
import { step } from "./walking";

const sceneFor = (graph: Graph, node: string): Scene =>
  sceneOf({
    drawing: draw(graph, { ...readView({}), node, up: 9, down: 9 }),
    fields: new Map(),
    links: [],
    lit: undefined,
    litNodes: new Set(),
  });
const taskOf = (scene: Scene) => ({
  boxes: [...scene.nodes].map(([id, one]) => ({ id, width: one.width, height: one.height })),
  lines: scene.edges,
  flow: "LR" as const,
});

const NOW = "2026-11-15T12:00:00Z";

/** The edges that OpenLineage events tell, by name. */
function toldEdges(lines: string): string[] {
  const events = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return events.flatMap(({ job, inputs, outputs }) => [
    ...inputs.map((one: { name: string }) => `${one.name} ${job.name}`),
    ...outputs.map((one: { name: string }) => `${job.name} ${one.name}`),
  ]);
}

test("an edge that is gone is not told as OpenLineage", () => {
  const graph = graphOf([
    ["dataset:ns:a", "job:ns:j"],
    ["dataset:ns:b", "job:ns:j"],
  ]);
  const edges = new Map(
    [...graph.edges].map(([id, edge]) => [
      id,
      edge.source === "dataset:ns:b" ? { ...edge, change: "removed" as const } : edge,
    ]),
  );
  const lines = graphAsOpenLineage(sceneFor({ ...graph, edges }, "job:ns:j"), NOW);
  expect(toldEdges(lines)).toEqual(["dataset:ns:a job:ns:j"]);
});

test("every export holds exactly the nodes and edges of the graph", () => {
  fc.assert(
    fc.property(anyGraph, ({ graph, ids }) => {
      const root = ids[0] as string;
      const scene = sceneFor(graph, root);
      const rows = edgeRows(scene);
      expect(rows.map((row) => `${row.source} ${row.target}`).sort()).toEqual(
        scene.edges.map((edge) => `${edge.source} ${edge.target}`).sort(),
      );
      expect(edgesAsCsv(rows).trimEnd().split("\r\n")).toHaveLength(rows.length + 1);
      const json = JSON.parse(graphAsJson(scene, root));
      expect(json.edges).toEqual(rows);
      expect(json.nodes).toHaveLength(scene.nodes.size);
      const svg = svgOf(scene, placeInColumns(taskOf(scene), root), "LR", "title");
      expect(svg.match(/class="node"/g)).toHaveLength(scene.nodes.size);
      expect(svg.match(/class="edge"/g) ?? []).toHaveLength(scene.edges.length);
      expect(toldEdges(graphAsOpenLineage(scene, NOW)).sort()).toEqual(
        rows.map((row) => `${row.sourceName} ${row.targetName}`).sort(),
      );
    }),
  );
});

test("a cell never starts a formula and quotes what must be quoted", () => {
  const cells = ["=1+1", "+a", "-b", "@c", 'say "hi"', "a,b", "plain"];
  expect(
    csv(
      ["head"],
      cells.map((one) => [one]),
    ),
  ).toBe('head\r\n\'=1+1\r\n\'+a\r\n\'-b\r\n\'@c\r\n"say ""hi"""\r\n"a,b"\r\nplain\r\n');
});

test("no text breaks out of an SVG", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(xml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
    }),
  );
});

test("plain columns overlap no two nodes", () => {
  fc.assert(
    fc.property(anyGraph, ({ graph, ids }) => {
      const scene = sceneFor(graph, ids[0] as string);
      const places = placeInColumns(taskOf(scene), ids[0]);
      const boxes = [...scene.nodes].map(([id, one]) => ({
        ...(places[id] as { x: number; y: number }),
        ...one,
      }));
      for (const [at, a] of boxes.entries()) {
        for (const b of boxes.slice(at + 1)) {
          const apart =
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + a.height <= b.y ||
            b.y + b.height <= a.y;
          expect(apart).toBe(true);
        }
      }
    }),
  );
});

test("a new layout leaves the anchor where it was", () => {
  const moved = keepInPlace({ a: { x: 5, y: 5 }, b: { x: 9, y: 9 } }, { a: { x: 1, y: 2 } }, "a");
  expect(moved).toEqual({ a: { x: 1, y: 2 }, b: { x: 5, y: 6 } });
});

test("arrows walk along edges and beside", () => {
  const graph = graphOf([
    ["dataset:a", "job:b"],
    ["job:b", "dataset:c"],
    ["job:b", "dataset:d"],
  ]);
  const scene = sceneFor(graph, "job:b");
  const places = placeInColumns(taskOf(scene), "job:b");
  expect(step(scene, places, "LR", "job:b", "ArrowLeft")).toBe("dataset:a");
  const right = step(scene, places, "LR", "job:b", "ArrowRight") as string;
  expect(["dataset:c", "dataset:d"]).toContain(right);
  expect(step(scene, places, "LR", "dataset:c", "ArrowDown")).toBe("dataset:d");
  expect(step(scene, places, "LR", "dataset:c", "ArrowUp")).toBeUndefined();
});

test("a column's path lights its datasets and the jobs between them, and no others", () => {
  const [a, c, aside] = ["dataset:ns:a", "dataset:ns:c", "dataset:ns:aside"];
  const graph = graphOf([
    [a, "job:ns:b"],
    ["job:ns:b", c],
    [a, "job:ns:other"],
    ["job:ns:other", aside],
  ]);
  const column = (dataset: string, field: string, distance: number) => ({
    id: fieldId(dataset, field) as string,
    dataset,
    namespace: "ns",
    name: dataset,
    field,
    distance,
  });
  const answer: ColumnGraph = {
    root: "x",
    nodes: [column(a, "x", 0), column(c, "y", 1)],
    edges: [
      {
        source: fieldId(a, "x") as string,
        target: fieldId(c, "y") as string,
        transformations: [],
        summary: "MASKED",
      },
    ],
  };
  expect([...litNodes(answer, graph)].sort()).toEqual([a, c, "job:ns:b"].sort());
  expect(litBy(answer).byDataset.get(c)).toEqual(["y"]);
});

test("nested columns follow theirs; lit ones are listed however many there are", () => {
  const rows = fieldRows([
    { name: "a", fields: [{ name: "b", fields: [{ name: "c" }] }] },
    { name: "z" },
  ]);
  expect(rows.map((row) => [row.path, row.depth])).toEqual([
    ["a", 0],
    ["a.b", 1],
    ["a.b.c", 2],
    ["z", 0],
  ]);
  const many = fieldRows(Array.from({ length: 100 }, (_, at) => ({ name: `f${at}` })));
  const listed = listColumns(many, ["f99", "untold"], 5);
  expect(listed.rows.map((row) => row.path)).toEqual(["f0", "f1", "f2", "f99", "untold"]);
  expect(listed.left).toBe(96);
});

test("a run that stopped reporting is unknown, whatever it said last", () => {
  expect(runState("RUNNING", true)).toMatchObject({ code: "UNKNOWN", tone: "unknown" });
  expect(runState("RUNNING", false)).toMatchObject({ code: "RUNNING" });
  const broken = nodeOf("job:a", {
    state: "RUNNING",
    connector: connectorOf({ degraded: "1 of 2 tasks failed" }),
  });
  expect(stateOf(broken)).toMatchObject({ code: "DEGRADED", reason: "1 of 2 tasks failed" });
});
