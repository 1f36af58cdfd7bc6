import { expect, test } from "vitest";
import { byNode, type Finding, healing, severityState } from "./findings";

const node = (name: string): Finding["nodes"][number] => ({
  nodeId: `dataset:kafka://broker:9092:${name}`,
  type: "dataset",
  namespace: "kafka://broker:9092",
  name,
});
const alias = {
  namespace: "kafka://broker:9092",
  name: null,
  otherNamespace: "kafka://localhost:9092",
  otherName: null,
};
const finding = (id: string, ...names: string[]): Finding => ({
  id,
  kind: "letter-case",
  severity: "warn",
  confidence: "likely",
  title: id,
  why: "",
  nodes: names.map(node),
  remedies: [
    { where: "recipe", text: "namespaces:", aliases: [alias] },
    { where: "backend", text: "PUT", aliases: [alias] },
  ],
});

test("a node has every finding that speaks of it, once", () => {
  const [first, second] = [finding("1", "a", "b", "a"), finding("2", "b")];
  const found = byNode([first, second]);
  expect(found.get(node("a").nodeId)).toEqual([first]);
  expect(found.get(node("b").nodeId)).toEqual([first, second]);
  expect(found.size).toBe(2);
});

test("only what the server itself can be told heals a finding at once", () => {
  expect(healing(finding("1", "a"))).toEqual([alias]);
  const [recipe] = finding("1", "a").remedies;
  expect(healing({ ...finding("1", "a"), remedies: recipe ? [recipe] : [] })).toEqual([]);
});

test("a severity is a colour and a word", () => {
  expect(severityState("error")).toEqual({ code: "error", word: "Error", tone: "bad" });
});
