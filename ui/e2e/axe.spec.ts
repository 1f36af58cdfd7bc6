import AxeBuilder from "@axe-core/playwright";
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
  ["job", "/job", { node: CDC }, "Versions of the configuration"],
  ["dataset", "/dataset", { node: ORDERS }, "Schema versions"],
];

for (const theme of ["light", "dark"] as const) {
  for (const [name, path, search, text] of PAGES) {
    test(`axe finds nothing serious on ${name}, ${theme}`, async ({ page, river }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.goto(at(river, path, search));
      await expect(page.getByText(text).first()).toBeVisible();
      await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
      // Read as text, so that the policy need not let a script in.
      const { violations } = await new AxeBuilder({ page }).analyze();
      const grave = violations.filter(
        (one) => one.impact === "serious" || one.impact === "critical",
      );
      expect(
        grave.map(
          (one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
        ),
      ).toEqual([]);
    });
  }
}
