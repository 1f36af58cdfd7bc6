import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readViews, renamedView, type SavedView, withoutView, withView, writeViews } from "./saved";

const BASE = new URL("http://127.0.0.1:5000/lineage/");

function storage(first = "[]") {
  let kept = first;
  return {
    getItem: () => kept,
    setItem: (_: string, value: string) => {
      kept = value;
    },
  };
}
const view = (name: string, address = "lineage?node=job:a:b"): SavedView => ({ name, address });

test("what is saved is read again, by name", () => {
  const kept = storage();
  writeViews(kept, [view("two"), view("one", "search?q=x")]);
  expect(readViews(kept, BASE)).toEqual([view("one", "search?q=x"), view("two")]);
});

test("whatever else stands in the browser's storage, no view leads away from this server", () => {
  const odd = fc.oneof(
    fc.json(),
    fc
      .array(fc.record({ name: fc.string(), address: fc.oneof(fc.string(), fc.webUrl()) }))
      .map((views) => JSON.stringify(views)),
    fc.constant('[{"name":"x","address":"javascript:alert(1)"},{"name":"y","address":"//evil/"}]'),
    fc.constant("{"),
  );
  fc.assert(
    fc.property(odd, (kept) => {
      for (const { address } of readViews(storage(kept), BASE))
        expect(new URL(address, BASE).href.startsWith(BASE.href)).toBe(true);
    }),
  );
});

test("a name stands once, is never blank, and renaming loses no view", () => {
  const views = [view("one"), view("two")];
  expect(withView(views, view("one", "doctor"))).toEqual([view("two"), view("one", "doctor")]);
  expect(withView(views, view("  "))).toEqual(views);
  expect(renamedView(views, "one", "two")).toEqual(views);
  expect(renamedView(views, "one", " three ")).toEqual([view("two"), view("three")]);
  expect(withoutView(views, "one")).toEqual([view("two")]);
});
