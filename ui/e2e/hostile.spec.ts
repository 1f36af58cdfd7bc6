import { columns, event, owned, type SaidDataset, schema, send, tagged } from "./seed";
import { at, expect, test } from "./test";

const MARKUP = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "';alert(1)//",
  "javascript:alert(1)",
  "{{7*7}}",
  ["$", "{alert(1)}"].join(""),
  "</title><script>alert(1)</script>",
  "&lt;b&gt;",
  "<!--",
  "]]>",
  "\\u003cscript\\u003e",
  "%3Cscript%3E",
  "a\u202egnp.exe",
  "العربية/قاعدة",
  "👩‍👩‍👧‍👦🔥",
  "ﷺ".repeat(40),
  "x".repeat(1000),
  "a/b:c#d%e?f&g=h+i",
  "=cmd|' /C calc'!A0",
  "line\nbreak\ttab",
  "\u0301".repeat(60),
  "constructor",
  "__proto__",
  "toString",
];
/** Two hundred names: each of these, alone and joined to others. */
const NAMES = Array.from({ length: 200 }, (_, index) => {
  const first = MARKUP[index % MARKUP.length] ?? "";
  const second = MARKUP[(index * 7 + 3) % MARKUP.length] ?? "";
  return index < MARKUP.length ? first : `${index} ${first} ${second}`;
});

test("two hundred hostile names in every field: no dialog, nothing broken", async ({
  page,
  fresh,
}) => {
  test.setTimeout(300_000);
  const datasets = NAMES.map(
    (name): SaidDataset => ({
      namespace: `evil ${name}`,
      name,
      facets: {
        ...schema(name, { name: `t ${name}`, type: name }),
        ...owned(name),
        ...tagged(name),
        documentation: { description: name },
      },
    }),
  );
  const told = datasets.map((dataset, index) =>
    event({
      job: NAMES[index] ?? "",
      namespace: "hostile",
      type: index % 3 === 0 ? "FAIL" : "COMPLETE",
      inputs: [dataset],
      outputs: [
        {
          ...(datasets[(index + 1) % datasets.length] as SaidDataset),
          facets: columns({ x: [{ from: dataset, field: dataset.name }] }),
        },
      ],
      jobFacets: {
        ...owned(NAMES[index] ?? ""),
        sourceCodeLocation: { type: "git", url: NAMES[index] ?? "" },
        documentation: { description: NAMES[index] ?? "" },
      },
      runFacets: {
        errorMessage: {
          message: NAMES[index] ?? "",
          programmingLanguage: "JAVA",
          stackTrace: NAMES[index] ?? "",
        },
      },
    }),
  );
  await send(fresh.url, told);
  const { nodes } = await (await fetch(`${fresh.url}/api/v2/nodes?limit=1000`)).json();
  expect(nodes.length).toBeGreaterThanOrEqual(2 * 200 - 2);
  const noOverflow = async () => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  };
  await page.goto(fresh.url);
  await expect(
    page.getByRole("region", { name: "Failing now" }).getByRole("link").first(),
  ).toBeVisible();
  await noOverflow();
  // One page of each kind for a sample that holds every payload once, the answers for all of them.
  for (const node of nodes.slice(0, 400)) {
    const answer = await fetch(`${fresh.url}/api/v2/lineage?node=${encodeURIComponent(node.id)}`);
    expect(answer.status, node.id).toBe(200);
  }
  for (const name of MARKUP) {
    const dataset = nodes.find(
      (one: { type: string; name: string }) => one.type === "DATASET" && one.name === name,
    );
    const job = nodes.find(
      (one: { type: string; name: string }) => one.type === "JOB" && one.name === name,
    );
    await page.goto(
      at(fresh, "/lineage", { node: dataset.id, cols: [dataset.id], select: dataset.id }),
    );
    await expect(page.getByRole("complementary", { name: "About the chosen node" })).toBeVisible();
    await expect(page.getByRole("list", { name: "Columns" }).first()).toBeVisible();
    await noOverflow();
    await page.goto(at(fresh, "/job", { node: job.id }));
    await expect(page.getByRole("region", { name: "Runs" }).getByRole("row").nth(1)).toBeVisible();
    expect(await page.locator("a[href^='javascript' i]").count()).toBe(0);
    await noOverflow();
  }
});
