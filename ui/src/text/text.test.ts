import { expect, test } from "vitest";
import { safeLink } from "./link";
import { redact } from "./redact";
import { duration, fromLocalField, toLocalField } from "./time";

const CANARY = "hunter2canary";

test.each([
  `jdbc:postgresql://app:${CANARY}@db:5432/shop`,
  `jdbc:sqlserver://db;user=app;password=${CANARY};encrypt=true`,
  `{"connection.password": "${CANARY}", "topic": "kept"}`,
  `sasl.jaas.config = '${CANARY}'`,
  `Authorization: Bearer ${CANARY}.abc-def`,
  `aws.secret.access.key.secret=${CANARY}`,
  `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----`,
])("no secret is shown of %s", (text) => {
  expect(redact(text)).not.toContain(CANARY);
});

test("what is no secret stays", () => {
  const text = "NullPointerException at Task.java:12, topic orders, tokens 3";
  expect(redact(text)).toBe(text);
});

test("only web addresses are linked", () => {
  expect(safeLink("https://example.com/a")).toBe("https://example.com/a");
  for (const bad of [
    "javascript:alert(1)",
    "data:text/html,x",
    "JaVaScRiPt:1",
    "",
    null,
    "no link",
    "file:///etc",
  ]) {
    expect(safeLink(bad)).toBeUndefined();
  }
});

test("times are told in their two largest units and come back from a field", () => {
  expect([900, 61_000, 3_600_000, 90_061_000].map(duration)).toEqual([
    "900 ms",
    "1 min 1 s",
    "1 h",
    "1 d 1 h",
  ]);
  const instant = "2026-11-15T10:20:30.000Z";
  expect(fromLocalField(toLocalField(instant))).toBe(instant);
  expect(fromLocalField("")).toBeUndefined();
});
