import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { event, send } from "./seed";
import { at, expect, test } from "./test";

const table = (name: string) => ({ namespace: "postgres://big:5432", name });

test("a node with 5,000 upstreams shows a counted stub", async ({ page, fresh }) => {
  const inputs = Array.from({ length: 5000 }, (_, index) => table(`source_${index}`));
  await send(fresh.url, [event({ job: "wide", inputs, outputs: [table("result")] })]);
  await page.goto(at(fresh, "/lineage", { node: "job:spark://jobs:wide" }));
  const stub = page.getByRole("button", { name: "4,975 more upstream; show 100 of them" });
  await expect(stub).toBeVisible();
  await expect(page.getByRole("group", { name: /^Table source_/ })).toHaveCount(25);
  await expect(page.getByText("4,975 more neighbours stand behind stubs.")).toBeInViewport();
  const map = page.getByRole("img", { name: "Map of the graph" });
  await expect(map).toBeVisible();
  await page.getByRole("button", { name: "Fit View" }).click();
  await expect(map).toHaveCount(0);
  await stub.click();
  await expect(page).toHaveURL(/more=/);
  await page.getByRole("button", { name: "Table", exact: true }).click();
  const nodes = page.getByRole("table", { name: "Nodes of the graph" });
  await expect(nodes).toHaveAttribute("aria-rowcount", String(1 + 127));
});

test("thousands of nodes are rolled up by namespace, and narrowed down by a click", async ({
  page,
  fresh,
}) => {
  const events = Array.from({ length: 160 }, (_, index) =>
    event({
      job: `load_${index}`,
      inputs: [table("hub")],
      outputs: Array.from({ length: 20 }, (_, at) => ({
        namespace: `mysql://shard-${index % 8}:3306`,
        name: `t_${index}_${at}`,
      })),
    }),
  );
  await send(fresh.url, events);
  const node = "dataset:postgres://big:5432:hub";
  await page.goto(at(fresh, "/lineage", { node, down: 2, more: { [`down:${node}`]: 500 } }));
  const group = page.getByRole("button", { name: /^400 datasets in mysql:\/\/shard-3:3306/ });
  await expect(group).toBeVisible();
  await expect(page.getByText("rolled up by namespace")).toBeVisible();
  await group.click();
  await expect(page).toHaveURL(/ns=mysql/);
});

/** At most so many kB, gzipped; docs/page.md says why the layouts are not among the page's. */
const MOST = { firstPage: 230, allButLayouts: 350, everything: 600 };
const ASSETS = join(import.meta.dirname, "../../src/mainstem/serve/static/assets");
const kB = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name))).length, 0) /
  1000;

test("a first page loads no graph, and a graph's own thread no layout", async ({ page, river }) => {
  const asked = new Set<string>();
  page.context().on("request", (request) => {
    if (request.url().includes("/assets/")) asked.add(basename(request.url()));
  });
  const isLayout = (name: string) => /^(elk|dagre|worker)/.test(name);
  await page.goto(river.url);
  await expect(page.getByRole("region", { name: "Failing now" })).toBeVisible();
  const first = new Set(asked);
  expect([...first].filter((name) => isLayout(name) || name.startsWith("lineage"))).toEqual([]);
  expect(kB(first)).toBeLessThan(MOST.firstPage);
  await page.goto(at(river, "/lineage", { node: "job:kafka-connect://production:shop-cdc" }));
  await expect(page.getByRole("group", { name: /^Connector shop-cdc/ })).toBeVisible();
  await expect(page.getByText("Laying out")).toHaveCount(0);
  expect([...asked].filter((name) => name.startsWith("elk-worker"))).toHaveLength(1);
  expect([...asked].filter((name) => name.startsWith("dagre"))).toEqual([]);
  const every = readdirSync(ASSETS);
  expect(kB(every.filter((name) => !isLayout(name)))).toBeLessThan(MOST.allButLayouts);
  expect(kB(every)).toBeLessThan(MOST.everything);
  // Only the worker's own chunk knows where the layouts are.
  const knowing = every.filter((name) =>
    /\/(elk|dagre)/.test(readFileSync(join(ASSETS, name), "utf8")),
  );
  expect(knowing.filter((name) => !isLayout(name))).toEqual([]);
});
