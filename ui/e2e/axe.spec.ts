import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { freePort, makeToken, startServer } from "./server";
import { at, expect, test } from "./test";

const CDC = "job:kafka-connect://production:shop-cdc";
const ORDERS = "dataset:kafka://broker-1:9092:shop.public.orders";
const PAGES: [string, string, Record<string, unknown>, string][] = [
  ["home", "/", {}, "Failing now"],
  ["browse", "/search", {}, "Browse"],
  [
    "graph",
    "/lineage",
    { node: CDC, select: CDC, cols: [ORDERS], column: `datasetField${ORDERS.slice(7)}:amount` },
    "shop-cdc",
  ],
  ["table", "/lineage", { node: CDC, as: "table", select: CDC, panel: "impact" }, "4 edges"],
  ["compared", "/lineage", { node: CDC, before: "2020-01-01T00:00:00Z" }, "shop-cdc"],
  ["job", "/job", { node: CDC }, "Versions of the configuration"],
  ["dataset", "/dataset", { node: ORDERS }, "Schema versions"],
  ["doctor", "/doctor", {}, "Decided by people"],
];
const DIALOGS = ["Saved views", "Search"];

/** What axe finds that would keep a reader out. */
async function grave(page: Page): Promise<string[]> {
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
  // A button that is let go while axe looks is seen pale, and as one that is not.
  await expect(page.getByRole("button", { name: "Export", disabled: true })).toHaveCount(0);
  // Read as text, so that the policy need not let a script in.
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

for (const theme of ["light", "dark"] as const) {
  for (const [name, path, search, text] of PAGES) {
    test(`axe finds nothing serious on ${name}, ${theme}`, async ({ page, river }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.goto(at(river, path, search));
      await expect(page.getByText(text).first()).toBeVisible();
      expect(await grave(page)).toEqual([]);
    });
  }

  test(`axe finds nothing serious in a dialog, ${theme}`, async ({ page, river }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(river.url);
    for (const name of DIALOGS) {
      await page.getByRole("button", { name }).click();
      await expect(page.getByRole("dialog", { name })).toBeVisible();
      expect(await grave(page)).toEqual([]);
      await page.keyboard.press("Escape");
    }
  });

  test(`axe finds nothing serious where nothing is yet, nor where a token is asked for, ${theme}`, async ({
    page,
    fresh,
  }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto(fresh.url);
    await expect(page.getByRole("heading", { name: "Nothing here yet" })).toBeVisible();
    expect(await grave(page)).toEqual([]);
    await page.goto(at(fresh, "/lineage", { node: CDC }));
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await grave(page)).toEqual([]);
    await makeToken(fresh);
    await page.goto(fresh.url);
    await page.getByLabel("Token").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await grave(page)).toEqual([]);
  });
}

test("axe finds nothing serious where an issuer is offered that cannot be reached", async ({
  page,
}) => {
  const host = `127.0.0.1:${await freePort()}`;
  const flags = ["--oidc-issuer", `http://${host}`, "--oidc-client-id", "mainstem"];
  const server = await startServer(...flags);
  try {
    await page.goto(server.url);
    await page.getByRole("link", { name: `Sign in with ${host}` }).click();
    await expect(page.getByRole("alert")).toContainText("cannot be reached");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await grave(page)).toEqual([]);
    }
  } finally {
    await server.stop();
  }
});
