import { expect, test } from "vitest";
import { comparedColumns, linkWord, litBy } from "./lit";
import { merge } from "./model";
import { graphAsJson } from "./rows";
import { answerOf } from "./sample";
import { sceneOf } from "./scene";
import { svgOf } from "./svg";
import type { ColumnDifference, ColumnLink } from "./types";
import { readView } from "./view";
import { draw } from "./visible";

const [A, B] = ["dataset:ns:a", "dataset:ns:b"];
const field = (dataset: string, name: string) =>
  `${dataset.replace("dataset", "datasetField")}:${name}`;
const link = (from: string, to: string, summary: ColumnLink["summary"]): ColumnLink => ({
  source: field(A as string, from),
  target: field(B as string, to),
  transformations: [],
  summary,
});
const node = (dataset: string, name: string) => ({
  id: field(dataset, name),
  dataset,
  namespace: "ns",
  name: dataset.slice(-1),
  field: name,
  distance: 1,
});

const difference: ColumnDifference = {
  root: A as string,
  nodes: ["id", "email", "old"].flatMap((name) => [
    node(A as string, name),
    node(B as string, name),
  ]),
  kept: [link("id", "id", "IDENTITY")],
  added: [link("email", "email", "MASKED"), link("id", "key", "IDENTITY")],
  removed: [link("email", "email", "IDENTITY"), link("old", "old", "TRANSFORMATION")],
};

test("a link came, went, or is made otherwise, and each is told once", () => {
  const { edges } = comparedColumns(difference);
  expect(edges.map((one) => [one.source.split(":").at(-1), one.change, linkWord(one)])).toEqual([
    ["id", undefined, "identity"],
    ["email", "changed", "identity → masked"],
    ["id", "added", "renamed"],
    ["old", "removed", "transformed"],
  ]);
});

test("a column that is gone is still drawn, with its line and its word", () => {
  const graph = merge([
    answerOf([
      [A as string, "job:ns:j"],
      ["job:ns:j", B as string],
    ]),
  ]);
  const drawing = draw(graph, readView({ node: A, down: 2 }));
  const compared = comparedColumns(difference);
  const parts = { drawing, fields: new Map(), litNodes: new Set<string>() };
  for (const scene of [
    sceneOf({ ...parts, links: compared.edges, lit: undefined }),
    sceneOf({ ...parts, links: [], lit: litBy(compared) }),
  ]) {
    const gone = scene.columnLines.find((line) => line.sourceColumn === "old");
    expect(gone?.change).toBe("removed");
    expect(scene.nodes.get(B as string)?.columns.rows.map((row) => row.path)).toContain("old");
    const told = JSON.parse(graphAsJson(scene, A as string)) as { columns: { change?: string }[] };
    expect(told.columns.map((one) => one.change)).toContain("removed");
    const places = Object.fromEntries(
      [...scene.nodes.keys()].map((id, at) => [id, { x: at, y: 0 }]),
    );
    expect(svgOf(scene, places, "LR", "t")).toContain("changed: identity → masked");
  }
});
