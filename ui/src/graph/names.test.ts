import * as fc from "fast-check";
import { expect, test } from "vitest";
import { datasetOfField, fieldId, formatNodeId, parseNodeId } from "./node-id";
import { roomFor, shorten } from "./shorten";
import { readView, writeView } from "./view";

const name = fc.oneof(
  fc.string({ minLength: 1, unit: "binary" }),
  fc.constantFrom(
    "kafka://b1:9092",
    "s3://lake/a b%2F",
    "1st",
    "a:b#c%",
    "//x",
    "orders:9",
    "<b>&'\"",
  ),
);

test("any name round-trips through a node id", () => {
  fc.assert(
    fc.property(name, name, name, (namespace, dataset, field) => {
      const id = { kind: "dataset", namespace, name: dataset } as const;
      expect(parseNodeId(formatNodeId(id))).toEqual(id);
      const column = fieldId(formatNodeId(id), field) ?? "";
      expect(parseNodeId(column)?.field).toBe(field);
      expect(datasetOfField(column)).toBe(formatNodeId(id));
    }),
    { numRuns: 1000 },
  );
});

test("what names no node is told apart", () => {
  expect(["", "job", "job:alone", "run:1", "datasetField:a:b"].map(parseNodeId)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a shortened name keeps both ends and fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 3, max: 60 }), (text, most) => {
      const short = shorten(text, most);
      if (short === text) return;
      expect(Array.from(new Intl.Segmenter().segment(short)).length).toBeLessThanOrEqual(most);
      const [head = "", tail = ""] = short.split("…");
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    }),
  );
});

test("a name in capitals is cut in its middle, too, rather than at its end", () => {
  const [small, large] = ["analytics.marts.refund_rates", "ANALYTICS.MARTS.REFUND_RATES"];
  expect(roomFor(small, 27)).toBe(27);
  expect(roomFor(large, 27)).toBeLessThan(22);
  expect(shorten(large, roomFor(large, 27))).toMatch(/^ANALYTICS.*…UND_RATES$/);
});

const key = fc.tuple(fc.constantFrom("up", "down"), name).map(([side, id]) => `${side}:${id}`);
const anyView = fc.record(
  {
    node: name,
    up: fc.nat(20),
    down: fc.nat(20),
    open: fc.uniqueArray(key),
    shut: fc.uniqueArray(key),
    cols: fc.uniqueArray(name),
    column: name,
    level: fc.constantFrom("table", "column"),
    asOf: name,
    before: name,
    only: name,
    ns: name,
    platform: name,
    cluster: name,
    hideJobs: fc.boolean(),
    kind: name,
    state: name,
    tag: name,
    control: fc.boolean(),
    flow: fc.constantFrom("LR", "TB"),
    as: fc.constantFrom("graph", "table"),
    select: name,
    panel: fc.constantFrom("details", "impact"),
    more: fc.dictionary(key, fc.integer({ min: 1, max: 5000 })),
  },
  { requiredKeys: ["node"] },
);

test("the address holds the whole view", () => {
  fc.assert(
    fc.property(anyView, (said) => {
      const view = readView(said);
      expect(readView(JSON.parse(JSON.stringify(writeView(view))))).toEqual(view);
    }),
  );
});

test("whatever an address holds, a view can be read from it", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom("node", "up", "open", "more", "cols", "level", "asOf"),
        fc.anything(),
      ),
      (raw) => {
        const view = readView(raw);
        expect(view.up).toBeGreaterThanOrEqual(0);
        expect(view.open.every((one) => typeof one === "string")).toBe(true);
      },
    ),
  );
});
