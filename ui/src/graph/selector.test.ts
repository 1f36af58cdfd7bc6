import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSelector } from "./selector";
import { DEEPEST } from "./view";

test.each([
  ["+orders+2", { word: "orders", up: DEEPEST, down: 2 }],
  ["3+orders", { word: "orders", up: 3, down: 0 }],
  ["orders+", { word: "orders", up: 0, down: DEEPEST }],
  ["999+orders+1", { word: "orders", up: DEEPEST, down: 1 }],
  ["a+b", { word: "a+b" }],
  [" orders ", { word: "orders" }],
  ["+", { word: "+" }],
])("%s", (typed, said) => {
  expect(readSelector(typed)).toEqual(said);
});

test("hops around any name are read back", () => {
  const name = fc.stringMatching(/^[a-z][a-z.+/:]*[a-z]$/);
  fc.assert(
    fc.property(name, fc.nat(DEEPEST), fc.nat(DEEPEST), (word, up, down) => {
      expect(readSelector(`${up}+${word}+${down}`)).toEqual({ word, up, down });
    }),
  );
});
