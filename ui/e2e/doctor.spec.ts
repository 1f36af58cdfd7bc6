import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { event, type SaidDataset, schema, send } from "./seed";
import { makeToken } from "./server";
import { at, expect, test } from "./test";

const table = (name: string, namespace = "postgres://shop-db:5432"): SaidDataset => ({
  namespace,
  name,
  facets: schema("id", "amount", "note"),
});
/** One table, which its writer and its reader spell differently: the graph is cut there. */
const cut = (written: string, read: string): object[] => [
  event({ job: "load", inputs: [table("source")], outputs: [table(written)] }),
  event({ job: "sum up", inputs: [table(read)], outputs: [table("sums")] }),
];
const nodes = (page: Page) => page.getByRole("group", { name: /^(Table|Job) / });
const found = (page: Page) => page.getByRole("article").filter({ hasText: "letter-case" });
const idOf = (name: string) => `dataset:postgres://shop-db:5432:${name}`;

test("an alias is applied by a button, and taken back", async ({ page, fresh }) => {
  await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
  await page.goto(at(fresh, "/doctor"));
  await found(page).getByRole("button", { name: "Apply this alias" }).press("Enter");
  await expect(found(page)).toHaveCount(0);
  const decided = page.getByRole("region", { name: "Decided by people" });
  await decided.getByRole("button", { name: /^Take back/ }).press("Enter");
  await expect(found(page)).toHaveCount(1);
});

const panelOf = (page: Page) => page.getByRole("complementary", { name: "About the chosen node" });

test("a finding opens on its nodes, heals the graph by a button, and is taken back", async ({
  page,
  fresh,
}) => {
  await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
  await page.goto(at(fresh, "/doctor"));
  await expect(found(page)).toHaveCount(1);
  await expect(found(page)).toContainText("Error");
  await expect(found(page)).toContainText("likely");
  await found(page).getByRole("button", { name: "Copy the lines: On this server" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("PUT /api/v2/aliases");
  await found(page)
    .getByRole("link", { name: /^Show shop.public.Orders in/ })
    .click();
  const panel = panelOf(page);
  await expect(panel.getByRole("tab", { name: "Findings (1)", selected: true })).toBeVisible();
  await panel.getByRole("button", { name: "Apply this alias" }).press("Enter");
  await expect(panel.getByRole("article")).toHaveCount(0);
  await panel.getByRole("link", { name: "All findings" }).click();
  await expect(found(page)).toHaveCount(0);
  const decided = page.getByRole("region", { name: "Decided by people" });
  await decided.getByRole("button", { name: /^Take back/ }).press("Enter");
  await expect(found(page)).toHaveCount(1);
  await expect(decided).toContainText("No alias was applied by hand.");
});

// One of the two spellings loses its name; whichever the page shows, it follows.
for (const [spelling, own, other] of [
  ["shop.public.Orders", "Job load", "Job sum up"],
  ["shop.public.orders", "Job sum up", "Job load"],
] as const) {
  test(`an alias applied beside the graph of ${spelling} joins both jobs`, async ({
    page,
    fresh,
  }) => {
    await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
    const node = idOf(spelling);
    await page.goto(at(fresh, "/lineage", { node, select: node, panel: "findings" }));
    await expect(page.getByRole("group", { name: own })).toBeVisible();
    await expect(page.getByRole("group", { name: other })).toHaveCount(0);
    await panelOf(page).getByRole("button", { name: "Apply this alias" }).press("Enter");
    await expect(panelOf(page).getByRole("status")).toBeFocused();
    for (const job of [own, other])
      await expect(page.getByRole("group", { name: job })).toBeInViewport();
    await expect(page.getByRole("group", { name: /^Table shop/ })).toBeInViewport();
    await expect(panelOf(page).getByRole("article")).toHaveCount(0);
    // The panel is still the same one, and so is the focus.
    await expect(panelOf(page).getByRole("status")).toBeFocused();
    await page.reload();
    await expect(page.getByRole("group", { name: other })).toBeVisible();
    await expect(panelOf(page)).toBeVisible();
  });
}

test("a chosen node that loses its name beside another root stays chosen", async ({
  page,
  fresh,
}) => {
  await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
  const select = idOf("shop.public.Orders");
  const node = "job:spark://jobs:load";
  await page.goto(at(fresh, "/lineage", { node, select, panel: "findings" }));
  await panelOf(page).getByRole("button", { name: "Apply this alias" }).press("Enter");
  await expect(panelOf(page).getByRole("status")).toBeFocused();
  await expect(page.getByRole("group", { name: "Table shop.public.orders" })).toBeVisible();
  await expect(panelOf(page)).toBeVisible();
});

test("a card on the graph counts its findings and leads to them", async ({ page, fresh }) => {
  await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
  await page.goto(at(fresh, "/lineage", { node: "job:spark://jobs:load" }));
  await page.getByRole("button", { name: "1 finding about shop.public.Orders" }).click();
  const panel = page.getByRole("complementary", { name: "About the chosen node" });
  await expect(panel.getByRole("article")).toContainText("differ in case alone");
  await expect(page).toHaveURL(/panel=findings/);
  await page.reload();
  await expect(panel.getByRole("article")).toBeVisible();
});

test("by severity, and nothing where every name aligns", async ({ page, fresh }) => {
  await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
  await page.goto(at(fresh, "/doctor"));
  await expect(found(page)).toBeVisible();
  await page.getByRole("combobox", { name: "Severity" }).selectOption("info");
  await expect(page).toHaveURL(/severity=info/);
  await expect(found(page)).toHaveCount(0);
});

test("who may only read is told so, and sees no button", async ({ page, fresh }) => {
  await send(fresh.url, cut("shop.public.Orders", "shop.public.orders"));
  const token = await makeToken(fresh);
  await page.goto(at(fresh, "/doctor"));
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(found(page)).toContainText("sign in with a token that may write");
  await expect(page.getByRole("button", { name: /^Apply/ })).toHaveCount(0);
});

test("hostile names break nothing on the doctor's page, in neither theme", async ({
  page,
  fresh,
}) => {
  const hostile = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "javascript:alert(1)",
    "a\u202egnp.exe",
    "x".repeat(1000),
  ];
  await send(
    fresh.url,
    hostile.flatMap((name, index) => [
      event({ job: `load ${index}`, outputs: [table(`${name} A`)] }),
      event({ job: `sum ${index}`, inputs: [table(`${name} a`)], outputs: [table(`s ${index}`)] }),
    ]),
  );
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(at(fresh, "/doctor"));
    await expect(found(page)).toHaveCount(hostile.length);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.filter((one) => one.impact === "serious" || one.impact === "critical"),
    ).toEqual([]);
    for (const width of [1440, 420]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    }
  }
  await page.goto(
    at(fresh, "/lineage", {
      node: idOf(`${hostile[0]} A`),
      select: idOf(`${hostile[0]} A`),
      panel: "findings",
    }),
  );
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(nodes(page).first()).toBeVisible();
});
