import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DrawnNode } from "./drawn";
import { anyGraph, connectorOf, graphOf } from "./sample";
import type { Graph, Side } from "./types";
import { readView, sideKey, toggleSide, type View } from "./view";
import { draw, FAN, MOST_DRAWN } from "./visible";

const viewOf = (said: Partial<View> & { node: string }): View => ({ ...readView({}), ...said });
const idsOf = (nodes: readonly DrawnNode[]) => new Set(nodes.map((one) => one.id));

/** The plainest breadth-first search there is, as a second opinion. */
function within(graph: Graph, start: string, side: Side, hops: number): Set<string> {
  const seen = new Set([start]);
  let level = [start];
  for (let hop = 0; hop < hops; hop++) {
    level = level.flatMap((id) =>
      [...graph.edges.values()].flatMap((edge) => {
        const [from, to] =
          side === "down" ? [edge.source, edge.target] : [edge.target, edge.source];
        return from === id && !seen.has(to) ? [to] : [];
      }),
    );
    for (const id of level) seen.add(id);
  }
  return seen;
}

const chosen = anyGraph.chain(({ graph, ids }) =>
  fc.record({
    graph: fc.constant(graph),
    node: fc.constantFrom(...ids),
    up: fc.nat(5),
    down: fc.nat(5),
  }),
);

describe("what a view shows", () => {
  test("depth counts hops from the node, each side", () => {
    fc.assert(
      fc.property(chosen, ({ graph, node, up, down }) => {
        const drawing = draw(graph, viewOf({ node, up, down }));
        const expected = new Set([
          ...within(graph, node, "up", up),
          ...within(graph, node, "down", down),
        ]);
        expect(idsOf(drawing.nodes)).toEqual(expected);
      }),
    );
  });

  test("an edge joins two nodes that are shown, and none of theirs is missing", () => {
    fc.assert(
      fc.property(chosen, ({ graph, node, up, down }) => {
        const { nodes, edges } = draw(graph, viewOf({ node, up, down }));
        const shown = idsOf(nodes);
        const expected = [...graph.edges.values()].filter(
          (one) => shown.has(one.source) && shown.has(one.target),
        );
        expect(new Set(edges.map((one) => one.id))).toEqual(new Set(expected.map((one) => one.id)));
      }),
    );
  });

  test("what is not shown beside a node is counted on it", () => {
    fc.assert(
      fc.property(chosen, ({ graph, node, up, down }) => {
        const { nodes } = draw(graph, viewOf({ node, up, down }));
        const shown = idsOf(nodes);
        for (const one of nodes) {
          if (one.type !== "node") continue;
          for (const side of ["up", "down"] as const) {
            const beside = graph[side].get(one.id) ?? [];
            expect(one.hidden[side]).toBe(beside.filter((id) => !shown.has(id)).length);
          }
        }
      }),
    );
  });

  test("closing a side and opening it again changes nothing", () => {
    fc.assert(
      fc.property(
        chosen,
        fc.constantFrom<Side>("up", "down"),
        ({ graph, node, up, down }, side) => {
          const view = viewOf({ node, up: up + 1, down: down + 1 });
          const closed = toggleSide(view, node, side, true);
          const again = toggleSide(closed, node, side, false);
          expect(idsOf(draw(graph, again).nodes)).toEqual(idsOf(draw(graph, view).nodes));
          expect(idsOf(draw(graph, closed).nodes).size).toBeLessThanOrEqual(
            idsOf(draw(graph, view).nodes).size,
          );
        },
      ),
    );
  });

  test("a side opened by hand shows its neighbours, also behind another", () => {
    const graph = graphOf([
      ["dataset:a", "job:b"],
      ["job:b", "dataset:c"],
      ["dataset:c", "job:d"],
    ]);
    const open = [sideKey("down", "dataset:c"), sideKey("down", "job:b")];
    const { nodes } = draw(graph, viewOf({ node: "dataset:a", open }));
    expect([...idsOf(nodes)].sort()).toEqual(["dataset:a", "dataset:c", "job:b", "job:d"]);
  });

  test("five thousand neighbours become a counted stub, never nothing", () => {
    const pairs = Array.from({ length: 600 }, (_, at) => [`dataset:${at}`, "job:wide"] as const);
    // The server counts 5,000 and sent 600.
    const graph = graphOf(pairs, { "job:wide": { upstream: 5000 } });
    const { nodes } = draw(graph, viewOf({ node: "job:wide" }));
    const stub = nodes.find((one) => one.type === "stub");
    expect(stub).toMatchObject({ side: "up", count: 5000 - FAN });
    expect(nodes.length).toBe(1 + FAN + 1);
    const more = draw(
      graph,
      viewOf({ node: "job:wide", more: { [sideKey("up", "job:wide")]: 100 } }),
    );
    expect(more.nodes.find((one) => one.type === "stub")).toMatchObject({
      count: 5000 - FAN - 100,
    });
  });

  test("only this path keeps what lies between, on every way", () => {
    const graph = graphOf([
      ["dataset:a", "job:1"],
      ["job:1", "dataset:z"],
      ["dataset:a", "job:2"],
      ["job:2", "dataset:z"],
      ["dataset:a", "job:aside"],
    ]);
    const { nodes } = draw(graph, viewOf({ node: "dataset:a", down: 3, only: "dataset:z" }));
    expect([...idsOf(nodes)].sort()).toEqual(["dataset:a", "dataset:z", "job:1", "job:2"]);
  });

  test("control topics are hidden and counted, and shown when asked for", () => {
    const control = [{ namespace: "kafka://b:9092", name: "dlq", kind: "dead letters" }];
    const graph = graphOf([["dataset:a", "job:sink"]], {
      "job:sink": { connector: connectorOf({ control }) },
    });
    const hidden = draw(graph, viewOf({ node: "job:sink" }));
    expect(hidden.hiddenControl).toBe(1);
    const shown = draw(graph, viewOf({ node: "job:sink", control: true }));
    expect(shown.nodes.find((one) => one.id === "dataset:kafka://b:9092:dlq")).toMatchObject({
      control: "dead letters",
    });
  });

  test("a filter leaves the root and counts what it took out", () => {
    const graph = graphOf(
      [
        ["dataset:a", "job:b"],
        ["job:b", "dataset:c"],
      ],
      { "dataset:c": { tags: ["pii"] } },
    );
    const drawing = draw(graph, viewOf({ node: "job:b", tag: "pii" }));
    expect([...idsOf(drawing.nodes)].sort()).toEqual(["dataset:c", "job:b"]);
    expect(drawing.filteredOut).toBe(1);
  });

  test("beyond what can be drawn it is rolled up by namespace, and every node is counted", () => {
    const pairs = Array.from(
      { length: MOST_DRAWN + 50 },
      (_, at) => [`dataset:${at}`, "job:wide"] as const,
    );
    const graph = graphOf(pairs);
    const drawing = draw(
      graph,
      viewOf({ node: "job:wide", more: { [sideKey("up", "job:wide")]: 9999 } }),
    );
    expect(drawing.isRolledUp).toBe(true);
    const counted = drawing.nodes.map((one) => (one.type === "group" ? one.count : 0));
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(MOST_DRAWN + 50);
    expect(drawing.edges.reduce((sum, one) => sum + one.count, 0)).toBe(MOST_DRAWN + 50);
  });
});
