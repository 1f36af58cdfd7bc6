import type { Page } from "@playwright/test";
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

const odd = (name: string): Record<string, unknown> => ({
  // A facet may be called anything and hold anything.
  [`odd ${name}`]: { [name]: name, list: [name] },
});

/** Every name in every field: its own job, namespace, dataset, column, type, tag, owner, facet. */
function everywhere(): object[] {
  const datasets = NAMES.map(
    (name): SaidDataset => ({
      namespace: `evil ${name}`,
      name,
      facets: {
        ...schema(name, { name: `t ${name}`, type: name }),
        ...owned(name),
        ...tagged(name),
        ...odd(name),
        documentation: { description: name },
      },
    }),
  );
  return datasets.map((dataset, index) =>
    event({
      job: dataset.name,
      namespace: `jobs ${dataset.name}`,
      type: index % 3 === 0 ? "FAIL" : "COMPLETE",
      inputs: [dataset],
      outputs: [
        {
          ...(datasets[(index + 1) % datasets.length] as SaidDataset),
          facets: columns({ x: [{ from: dataset, field: dataset.name }] }),
        },
      ],
      jobFacets: {
        ...owned(dataset.name),
        ...tagged(dataset.name),
        ...odd(dataset.name),
        sourceCodeLocation: { type: "git", url: dataset.name },
        documentation: { description: dataset.name },
      },
      runFacets: { ...odd(dataset.name), ...failing(dataset.name) },
    }),
  );
}

const failing = (name: string): Record<string, unknown> => ({
  errorMessage: { message: name, programmingLanguage: "JAVA", stackTrace: name },
});

async function expectNothingBroken(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(await page.locator("a[href^='javascript' i]").count()).toBe(0);
  expect(await page.locator("main script, main iframe, main img, main object").count()).toBe(0);
}

const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
  });

test("one node with two hundred hostile names in every field", async ({ page, fresh }) => {
  test.setTimeout(300_000);
  const crowd: SaidDataset = {
    namespace: "crowd",
    name: "crowd",
    facets: {
      ...schema(...NAMES.map((name) => ({ name, type: name }))),
      ...owned(...NAMES),
      ...tagged(...NAMES),
      ...Object.assign({}, ...NAMES.map(odd)),
      documentation: { description: NAMES.join(" ") },
    },
  };
  const told = NAMES.map((name, index) =>
    event({
      job: "crowd",
      namespace: "crowd",
      type: "FAIL",
      outputs: [index === 0 ? crowd : { namespace: "crowd", name: "crowd" }],
      jobFacets: index === 0 ? { ...owned(...NAMES), ...tagged(...NAMES) } : odd(name),
      runFacets: { ...odd(name), ...failing(name) },
    }),
  );
  await send(fresh.url, told);
  const [dataset, job] = ["dataset:crowd:crowd", "job:crowd:crowd"];
  await page.goto(at(fresh, "/dataset", { node: dataset }));
  await expect(page.getByRole("region", { name: "Columns" }).getByRole("row")).toHaveCount(
    NAMES.length + 1,
  );
  await unfold(page);
  await expectNothingBroken(page);
  await page.goto(at(fresh, "/job", { node: job }));
  await expect(page.getByRole("region", { name: "Runs" }).getByRole("row").nth(1)).toBeVisible();
  await unfold(page);
  await expectNothingBroken(page);
  await page.goto(at(fresh, "/lineage", { node: dataset, select: dataset, level: "column" }));
  await expect(page.getByRole("list", { name: "Columns" })).toBeVisible();
  await expectNothingBroken(page);
});

test("two hundred hostile names in every field: no dialog, nothing broken", async ({
  page,
  fresh,
}) => {
  test.setTimeout(300_000);
  await send(fresh.url, everywhere());
  const { nodes } = await (await fetch(`${fresh.url}/api/v2/nodes?limit=1000`)).json();
  expect(nodes.length).toBeGreaterThanOrEqual(2 * 200 - 2);
  await page.goto(fresh.url);
  await expect(
    page.getByRole("region", { name: "Failing now" }).getByRole("link").first(),
  ).toBeVisible();
  await expectNothingBroken(page);
  for (let offset = 0; offset < nodes.length; offset += 50) {
    await page.goto(at(fresh, "/search", { offset }));
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await expectNothingBroken(page);
  }
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
    await expectNothingBroken(page);
    await page.goto(at(fresh, "/dataset", { node: dataset.id }));
    await expect(
      page.getByRole("region", { name: "Columns" }).getByRole("row").nth(1),
    ).toBeVisible();
    await unfold(page);
    await expectNothingBroken(page);
    await page.goto(at(fresh, "/job", { node: job.id }));
    await expect(page.getByRole("region", { name: "Runs" }).getByRole("row").nth(1)).toBeVisible();
    await unfold(page);
    await expectNothingBroken(page);
  }
});
