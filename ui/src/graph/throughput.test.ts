import * as fc from "fast-check";
import { expect, test } from "vitest";
import { merge } from "./model";
import { answerOf } from "./sample";
import { movedOver, movedWords } from "./throughput";
import type { Graph } from "./types";
import { readView } from "./view";
import { draw } from "./visible";

const count = fc.option(fc.nat(1_000_000), { nil: null });

test("what goes over edges is summed, and what nobody counted is not zero", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ rows: count, rowsPerMinute: count })), (edges) => {
      const told = edges.filter((edge) => edge.rows !== null);
      const paced = told.filter((edge) => edge.rowsPerMinute !== null);
      const moved = movedOver(edges);
      expect(moved?.rows).toBe(
        told.length === 0 ? undefined : told.reduce((sum, edge) => sum + (edge.rows ?? 0), 0),
      );
      expect(moved?.perMinute).toBe(
        paced.length === 0
          ? undefined
          : paced.reduce((sum, edge) => sum + (edge.rowsPerMinute ?? 0), 0),
      );
    }),
  );
});

const movedOf = (graph: Graph, id: string) => {
  const shown = draw(graph, readView({ node: "job:ns:j" })).nodes.find((one) => one.id === id);
  return shown?.type === "node" ? shown.moved : undefined;
};

function counted(said: Record<string, { upstream?: number }> = {}): Graph {
  const answer = answerOf(
    [
      ["dataset:ns:a", "job:ns:j"],
      ["job:ns:j", "dataset:ns:b"],
      ["job:ns:j", "dataset:ns:c"],
    ],
    said,
  );
  const edges = answer.edges.map((edge, at) => ({ ...edge, rows: at + 1, rowsPerMinute: 10 * at }));
  return merge([{ ...answer, edges }]);
}

test("a job shows what it writes, a dataset what is written into it", () => {
  expect(movedOf(counted(), "job:ns:j")).toEqual({ rows: 5, perMinute: 30 });
  expect(movedOf(counted(), "dataset:ns:b")).toEqual({ rows: 2, perMinute: 10 });
  expect(movedOf(counted(), "dataset:ns:a")).toBeUndefined();
});

test("with a neighbour that is not loaded the sum would be too small, so none is shown", () => {
  expect(movedOf(counted({ "dataset:ns:b": { upstream: 2 } }), "dataset:ns:b")).toBeUndefined();
});

test("in words", () => {
  expect(movedWords({ rows: 1, perMinute: undefined })).toBe("1 row");
  expect(movedWords({ rows: 48_120, perMinute: undefined })).toBe("48.1K rows");
  expect(movedWords({ rows: 7, perMinute: 1250 })).toBe("1.3K rows/min");
});
