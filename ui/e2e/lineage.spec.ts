import { readFile } from "node:fs/promises";
import type { Locator, Page, Route } from "@playwright/test";
import { columns, event, type Made, minutesAgo, schema, send } from "./seed";
import { at, expect, test } from "./test";

const CDC = "job:kafka-connect://production:shop-cdc";
const SINK = "job:kafka-connect://production:orders-to-lake";
const ORDERS = "dataset:kafka://broker-1:9092:shop.public.orders";
const card = (page: Page, name: string | RegExp) => page.getByRole("group", { name });
const cards = (page: Page) =>
  page.getByRole("group", { name: /^(Table|Topic|File|Connector|Spark job) / });

/** Clicks a card until it is chosen: one that moves under the pointer, as the view is fitted, is not. */
async function choose(page: Page, name: RegExp): Promise<void> {
  await expect(async () => {
    await card(page, name).click();
    const panel = page.getByRole("complementary", { name: "About the chosen node" });
    await expect(panel).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

/** A graph whose layout's code does not arrive until its request goes on; nor does any deadline. */
async function openWithoutLayout(page: Page, address: string, count: number): Promise<Route[]> {
  const asked: Route[] = [];
  await page.context().route(/assets\/elk-worker/, (route) => {
    asked.push(route);
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.goto(address);
  await expect(async () => {
    await page.clock.runFor(300);
    await expect(cards(page)).toHaveCount(count, { timeout: 500 });
  }).toPass();
  return asked;
}

test("opens on one node with one hop each way, states in words", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await expect(cards(page)).toHaveCount(5);
  await expect(card(page, /^Connector shop-cdc, Degraded, 1 of 2 tasks running/)).toBeVisible();
  await expect(card(page, /^Table shop.public.customers/)).toBeVisible();
  await expect(card(page, /^Topic shop.public.orders, 1 more downstream/)).toBeVisible();
  await expect(card(page, /^Connector shop-cdc/)).toContainText("1/2 tasks");
});

test("a side opens and closes by its button, and the address keeps it", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await page.getByRole("button", { name: "Show 1 downstream of shop.public.orders" }).click();
  await expect(card(page, /^Connector orders-to-lake, Failed/)).toBeVisible();
  await page.reload();
  await expect(card(page, /^Connector orders-to-lake, Failed/)).toBeVisible();
  await page.getByRole("button", { name: "Hide what is downstream of shop.public.orders" }).click();
  await expect(card(page, /^Connector orders-to-lake/)).toHaveCount(0);
  await page.goBack();
  await expect(card(page, /^Connector orders-to-lake/)).toBeVisible();
});

test("direction and depth", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: ORDERS }));
  await page.getByRole("combobox", { name: "Upstream" }).selectOption("none");
  await expect(card(page, /^Connector shop-cdc/)).toHaveCount(0);
  await page.getByRole("combobox", { name: "Downstream" }).selectOption("all");
  await expect(card(page, /^Table marts.daily_revenue/)).toBeVisible();
  await expect(cards(page)).toHaveCount(5);
  // What else the connector reads becomes no part of this topic, and is asked for by its stub.
  await page.getByRole("combobox", { name: "Upstream" }).selectOption("2");
  await expect(card(page, /^Table shop.public.orders/)).toBeVisible();
  await page.getByRole("button", { name: "Fit View" }).click();
  await page.getByRole("button", { name: "1 more upstream; show 1 of them" }).click();
  await expect(card(page, /^Table shop.public.customers/)).toBeVisible();
});

test("only this path", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC, down: 6 }));
  await page.getByRole("button", { name: "Fit View" }).click();
  await choose(page, /^Table marts.daily_revenue/);
  await page.getByRole("button", { name: "Only this path" }).click();
  await expect(card(page, /^Table shop.public.orders/)).toHaveCount(0);
  await expect(card(page, /^Connector orders-to-lake/)).toBeVisible();
  await page
    .getByRole("status", { name: "About this view" })
    .getByRole("button", { name: "Show all" })
    .click();
  await expect(card(page, /^Table shop.public.orders/)).toBeVisible();
});

test("control topics and dead letters are hidden with a count", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: SINK }));
  await page.getByRole("button", { name: "1 control topic hidden" }).click();
  await expect(card(page, /^Topic orders-dlq/)).toContainText("dead letters");
});

test("a column's whole path stays lit, each hop says how", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: ORDERS }));
  await page.getByRole("button", { name: "4 columns of shop.public.orders" }).click();
  await page.getByRole("button", { name: "amount numeric" }).click();
  const graph = page.getByRole("application");
  await expect(
    card(page, /^Table marts.daily_revenue/)
      .getByRole("button", { name: /revenue/ })
      .last(),
  ).toBeVisible();
  await expect(
    card(page, /^Table shop.public.orders/)
      .getByRole("button", { name: "amount" })
      .last(),
  ).toBeVisible();
  for (const word of ["identity", "transformed", "aggregated"]) {
    await expect(graph.getByText(word, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("status", { name: "About this view" })).toContainText(
    "Path of the column amount",
  );
  await expect(graph.getByText("(blank)")).toHaveCount(0);
  // Where it is wider than the window, a map says so.
  await expect(page.getByRole("img", { name: "Map of the graph" })).toBeVisible();
  await page.reload();
  await expect(graph.getByText("aggregated", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(graph.getByText("aggregated", { exact: true })).toHaveCount(0);
});

test("masked and nested columns; the switch to column level", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await expect(page.getByRole("table", { name: "Columns of the graph" })).toContainText("masked");
  await page.getByRole("button", { name: "Graph", exact: true }).click();
  const topic = card(page, /^Topic shop.public.customers/);
  await expect(topic.getByRole("button", { name: "city varchar" })).toBeVisible();
  const masked = page.getByRole("application").getByText("masked", { exact: true });
  // The view is still being fitted: a card may move under the pointer.
  await expect(async () => {
    await topic.getByRole("button", { name: "email varchar" }).click();
    await expect(masked).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await page.getByRole("button", { name: "Tables", exact: true }).click();
  await expect(page).not.toHaveURL(/level=column/);
});

test("a chosen node is not hidden by its own panel", async ({ page, river }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(at(river, "/lineage", { node: CDC, down: 3 }));
  await choose(page, /^Connector orders-to-lake/);
  const chosen = card(page, /^Connector orders-to-lake/);
  const panel = page.getByRole("complementary", { name: "About the chosen node" });
  const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };
  const boxOf = async (one: Locator) => (await one.boundingBox()) ?? NOWHERE;
  const left = (await boxOf(panel)).x;
  const rightOf = ({ x, width }: { x: number; width: number }) => x + width;
  await expect.poll(async () => rightOf(await boxOf(chosen))).toBeLessThanOrEqual(left);
  // In a narrow window the panel stands below the graph, and the node between it and the toolbar.
  await page.setViewportSize({ width: 420, height: 800 });
  await expect.poll(async () => (await boxOf(panel)).x).toBe(0);
  const [top, tools] = [(await boxOf(panel)).y, await boxOf(page.getByRole("toolbar"))];
  await expect
    .poll(async () => {
      const { x, y, width, height } = await boxOf(chosen);
      return x >= 0 && x + width <= 420 && y >= tools.y + tools.height && y + height <= top;
    })
    .toBe(true);
});

test("each edge says how it is known and how sure that is, everywhere", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC, select: CDC }));
  const panel = page.getByRole("complementary", { name: "About the chosen node" });
  await expect(panel).toContainText("certain: seen");
  await expect(panel).toContainText("likely: config");
  await page.getByRole("button", { name: "Table", exact: true }).click();
  const edge = page
    .getByRole("table", { name: "Edges of the graph" })
    .getByRole("row", { name: "Table shop.public.orders Connector shop-cdc" });
  await expect(edge.getByRole("cell").nth(2)).toHaveText("config");
  await expect(edge.getByRole("cell").nth(3)).toHaveText("likely");
  await page.getByRole("button", { name: "Export" }).click();
  const file = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV edges" }).click();
  const csv = await readFile(await (await file).path(), "utf8");
  const [headings = "", ...rows] = csv.trim().split("\r\n");
  const [evidence, sure] = ["evidence", "confidence"].map((one) =>
    headings.split(",").indexOf(one),
  );
  const told = rows
    .map((row) => row.split(","))
    .map((row) => [row[evidence ?? -1], row[sure ?? -1]]);
  expect(told.map((one) => one.join(" ")).sort()).toEqual([
    "config likely",
    "config likely",
    "seen certain",
    "seen certain",
  ]);
});

test("the impact table, and its files", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: ORDERS, select: ORDERS, panel: "impact" }));
  const table = page.getByRole("table", { name: "Impact" });
  await expect(table.getByRole("row")).toHaveCount(5);
  await expect(table.getByRole("row").nth(1)).toContainText("1Connector orders-to-lake");
  await expect(table.getByRole("row").nth(4)).toContainText("team-finance");
  // The sink's watcher does not say how it knows, so what lies behind is no surer.
  await expect(table.getByRole("row").nth(4)).toContainText("unknown");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  const text = await readFile(await (await file).path(), "utf8");
  expect(text.trim().split("\r\n")).toHaveLength(5);
  expect(text.split("\r\n")[4]).toContain(",unknown,");
});

test("the impact of a column says how sure each row is", async ({ page, river }) => {
  const source = "postgres://shop-db:5432:shop.public.orders";
  const [select, column] = [`dataset:${source}`, `datasetField:${source}:amount`];
  await page.goto(at(river, "/lineage", { node: select, select, column, panel: "impact" }));
  const rows = page.getByRole("table", { name: "Impact" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("likelyamount");
  await expect(rows.nth(3)).toContainText("unknownrevenue");
});

test("exports wait for the data, and hold exactly the nodes and edges that are shown", async ({
  page,
  river,
}) => {
  let arrive = () => {};
  const data = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/api/v2/lineage?**", (route) => data.then(() => route.continue()));
  await page.goto(at(river, "/lineage", { node: CDC, down: 3 }));
  await expect(page.getByRole("button", { name: "Export" })).toBeDisabled();
  arrive();
  await expect(cards(page)).toHaveCount(9);
  const graph = await (
    await fetch(
      `${river.url}/api/v2/lineage?node=${encodeURIComponent(CDC)}&direction=both&depth=3`,
    )
  ).json();
  const save = async (word: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    const file = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: word }).click();
    return readFile(await (await file).path());
  };
  const csv = (await save("CSV edges")).toString().trim().split("\r\n").slice(1);
  const told = graph.edges.map(
    (edge: { source: string; target: string }) => `${edge.source} ${edge.target}`,
  );
  expect(csv.map((line) => `${line.split(",")[0]} ${line.split(",")[3]}`).sort()).toEqual(
    told.sort(),
  );
  const json = JSON.parse((await save("JSON graph")).toString());
  expect(json.edges).toHaveLength(graph.edges.length);
  expect(json.nodes).toHaveLength(9);
  const svg = (await save("SVG picture")).toString();
  expect(svg.match(/class="node"/g)).toHaveLength(9);
  expect(svg.match(/class="edge"/g)).toHaveLength(graph.edges.length);
  const png = await save("PNG picture");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(png.length).toBeGreaterThan(10_000);
});

test("exported OpenLineage events give another server the same edges", async ({
  page,
  river,
  fresh,
}) => {
  await page.goto(at(river, "/lineage", { node: CDC, down: 3 }));
  await expect(cards(page)).toHaveCount(9);
  await page.getByRole("button", { name: "Export" }).click();
  const file = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "OpenLineage events" }).click();
  const lines = (await readFile(await (await file).path(), "utf8")).trim().split("\n");
  await send(
    fresh.url,
    lines.map((line) => JSON.parse(line)),
  );
  const edgesOf = async (url: string): Promise<string[]> => {
    const query = new URLSearchParams({ node: CDC, direction: "both", depth: "3" });
    const told = await (await fetch(`${url}/api/v2/lineage?${query}`)).json();
    return told.edges.map(
      (one: { source: string; target: string }) => `${one.source} ${one.target}`,
    );
  };
  const edges = await edgesOf(river.url);
  expect(edges.length).toBeGreaterThan(7);
  expect((await edgesOf(fresh.url)).sort()).toEqual(edges.sort());
});

test("a first graph stands while its layout is awaited, and the layout can be cancelled", async ({
  page,
  river,
}) => {
  await openWithoutLayout(page, at(river, "/lineage", { node: CDC, down: 3 }), 9);
  const notes = page.getByRole("status", { name: "About this view" });
  await expect(notes).toContainText("Laying out");
  await notes.getByRole("button", { name: "Cancel" }).click();
  await expect(notes).toContainText("Drawn in plain columns: the layout was cancelled.");
  await expect(cards(page)).toHaveCount(9);
});

test("a graph that changes while the layout is loaded does not load it anew", async ({
  page,
  river,
}) => {
  const asked = await openWithoutLayout(page, at(river, "/lineage", { node: CDC }), 5);
  await page.getByRole("button", { name: "Draw from top to bottom" }).click();
  const notes = page.getByRole("status", { name: "About this view" });
  await expect(notes).toContainText("Laying out");
  await asked[0]?.continue();
  await expect(notes).toBeEmpty();
  // The clock stands, so that only an answer of the same engine can turn it again.
  await page.getByRole("button", { name: "Draw from left to right" }).click();
  const leftOf = async (name: RegExp) => (await card(page, name).boundingBox())?.x ?? 0;
  await expect
    .poll(
      async () =>
        (await leftOf(/^Connector shop-cdc/)) - (await leftOf(/^Table shop.public.customers/)),
    )
    .toBeGreaterThan(150);
  await expect(notes).toBeEmpty();
  expect(asked).toHaveLength(1);
});

test("a layout that takes too long is given up, and the page says so", async ({ page, river }) => {
  await page.clock.install();
  await page.context().route(/assets\/elk-worker/, () => {});
  await page.goto(at(river, "/lineage", { node: CDC }));
  const notes = page.getByRole("status", { name: "About this view" });
  await expect(async () => {
    await page.clock.runFor(11_000);
    await expect(notes).toContainText("the layout took too long", { timeout: 500 });
  }).toPass();
  await expect(card(page, /^Connector shop-cdc/)).toBeVisible();
});

test("the graph is turned by a button, and a dragged node stays where it was put", async ({
  page,
  river,
}) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  const [job, table] = [card(page, /^Connector shop-cdc/), card(page, /^Table shop.public.orders/)];
  const placeOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0 };
  await expect(page.getByText("Laying out")).toHaveCount(0);
  expect((await placeOf(table)).x).toBeLessThan((await placeOf(job)).x);
  await page.getByRole("button", { name: "Draw from top to bottom" }).click();
  await expect.poll(async () => (await placeOf(table)).y < (await placeOf(job)).y - 50).toBe(true);
  await expect(page).toHaveURL(/flow=TB/);
  await table.hover();
  await page.mouse.down();
  await page.mouse.move(300, 600, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByText("Some nodes were moved by hand.")).toBeVisible();
  const keptAt = await page.evaluate(() => Object.entries(localStorage).toString());
  expect(keptAt).toContain("mainstem.moved TB");
  await page.reload();
  await expect(page.getByText("Some nodes were moved by hand.")).toBeVisible();
  await page.getByRole("button", { name: "Put them back" }).click();
  await expect(page.getByText("Some nodes were moved by hand.")).toHaveCount(0);
});

test("the graph as of a time, and two times compared", async ({ page, river }) => {
  const early = new Date(Date.now() - 200 * 60_000).toISOString();
  await page.goto(at(river, "/lineage", { node: CDC, asOf: early }));
  await expect(cards(page)).toHaveCount(3);
  await expect(card(page, /^Topic shop.public.orders/)).toHaveCount(0);
  await expect(page.getByText(/^Edges as of .+; states are those of now/)).toBeVisible();
  await page.goto(at(river, "/lineage", { node: CDC, before: early }));
  await expect(page.getByRole("application").getByText("added", { exact: true })).toHaveCount(2);
  const about = page.getByRole("status", { name: "About this view" });
  await expect(about).toContainText(/What came and went from .+ to now/);
  await page.getByRole("button", { name: "Comparing" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Back to now" }).click();
  await expect(page.getByRole("application").getByText("added", { exact: true })).toHaveCount(0);
  await page.getByRole("dialog").getByRole("button", { name: "a day" }).click();
  await expect(page.getByRole("application").getByText("added", { exact: true })).toHaveCount(4);
  await page.keyboard.press("Escape");
  await about.getByRole("button", { name: "Back to now" }).click();
  await expect(page.getByRole("application").getByText("added", { exact: true })).toHaveCount(0);
});

test("filters narrow the graph and say what they took out", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC, down: 4 }));
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Kind").selectOption("TOPIC");
  await expect(cards(page)).toHaveCount(3);
  await expect(page.getByRole("status", { name: "About this view" })).toContainText(
    "nodes do not fit the filter",
  );
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(cards(page)).toHaveCount(9);
  // What lies there, and the jobs that read or write it.
  await page.getByLabel("Platform").selectOption("S3");
  await expect(cards(page)).toHaveCount(4);
  await expect(card(page, /^File raw\/orders/)).toBeVisible();
  await expect(card(page, /^Connector orders-to-lake/)).toBeVisible();
  await expect(card(page, /^Spark job daily-revenue/)).toBeVisible();
  await page.getByLabel("Platform").selectOption("any");
  await page.getByLabel("Cluster").selectOption("postgres://shop-db:5432");
  await expect(cards(page)).toHaveCount(3);
  await page.reload();
  await expect(cards(page)).toHaveCount(3);
  await expect(page.getByRole("button", { name: "1 filter" })).toBeVisible();
  await page.goto(
    at(river, "/lineage", { node: CDC, down: 3, cluster: "kafka-connect://production" }),
  );
  await expect(cards(page)).toHaveCount(7);
  await expect(card(page, /^Table marts.daily_revenue/)).toHaveCount(0);
});

test("jobs are hidden and counted, and the datasets joined as the jobs tell it", async ({
  page,
  river,
}) => {
  await page.goto(at(river, "/lineage", { node: ORDERS }));
  await page.getByRole("button", { name: "Hide jobs" }).click();
  await expect(page.getByRole("button", { name: "2 jobs hidden" })).toBeVisible();
  // The connector makes two topics of two tables, and says which of which.
  await expect(cards(page)).toHaveCount(3);
  await expect(card(page, /^Table shop.public.orders/)).toBeVisible();
  await expect(card(page, /^File raw\/orders, 1 more downstream/)).toBeVisible();
  await expect(page.getByRole("application").getByText("Failed", { exact: true })).toBeVisible();
  await page.reload();
  await expect(cards(page)).toHaveCount(3);
  await page.getByRole("combobox", { name: "Downstream" }).selectOption("all");
  await expect(card(page, /^Table marts.daily_revenue/)).toBeVisible();
  await choose(page, /^File raw\/orders/);
  const panel = page.getByRole("complementary", { name: "About the chosen node" });
  await expect(panel).toContainText("through orders-to-lake (failed)");
  await page.getByRole("button", { name: "Export" }).click();
  const file = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV edges" }).click();
  const csv = (await readFile(await (await file).path(), "utf8")).trim().split("\r\n").slice(1);
  expect(csv.map((line) => line.split(",").at(-1)).sort()).toEqual([
    SINK,
    CDC,
    "job:spark://jobs:daily-revenue",
  ]);
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await expect(page.getByRole("table", { name: "Edges of the graph" })).toContainText("shop-cdc");
  await page.getByRole("button", { name: "3 jobs hidden" }).click();
  await expect(page.getByRole("table", { name: "Nodes of the graph" })).toContainText("shop-cdc");
});

test("full use by keyboard: arrows walk, Enter opens, Escape returns", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await card(page, /^Connector shop-cdc/).focus();
  await page.keyboard.press("ArrowRight");
  await expect(card(page, /^Topic /).and(page.locator(":focus"))).toHaveCount(1);
  await page.keyboard.press("ArrowLeft");
  await expect(card(page, /^Connector shop-cdc/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "About the chosen node" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name: "About the chosen node" })).toHaveCount(0);
  await page.keyboard.press("-");
  await expect(card(page, /^Topic /)).toHaveCount(0);
});

test("a table stands behind the graph", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await expect(
    page.getByRole("table", { name: "Nodes of the graph" }).getByRole("row"),
  ).toHaveCount(6);
  await expect(
    page.getByRole("table", { name: "Edges of the graph" }).getByRole("row"),
  ).toHaveCount(5);
  await expect(page.getByRole("table", { name: "Edges of the graph" })).toContainText("seen");
});

test("names are copied whole", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await page.getByRole("button", { name: "Copy the name shop-cdc" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("shop-cdc");
});

test("columns compared between two times: came, went, made otherwise", async ({ page, fresh }) => {
  const [from, into] = [
    { namespace: "postgres://then:5432", name: "people" },
    { namespace: "s3://lake", name: "people" },
  ];
  const told = (minutes: number, made: Record<string, Made[]>) =>
    event({
      job: "copy",
      time: minutesAgo(minutes),
      inputs: [{ ...from, facets: schema("id", "email", "phone") }],
      outputs: [{ ...into, facets: { ...schema(...Object.keys(made)), ...columns(made) } }],
    });
  const id = [{ from, field: "id" }];
  await send(fresh.url, [
    told(60, { id, email: [{ from, field: "email" }], fax: [{ from, field: "phone" }] }),
    told(10, {
      id,
      email: [{ from, field: "email", how: "TRANSFORMATION", masking: true }],
      phone: [{ from, field: "phone" }],
    }),
  ]);
  const before = minutesAgo(30);
  const node = "dataset:s3://lake:people";
  await page.goto(at(fresh, "/lineage", { node, up: 2, level: "column", before }));
  const graph = page.getByRole("application");
  await expect(graph.getByText("changed: identity → masked")).toBeVisible();
  await expect(graph.getByText("added: identity")).toBeVisible();
  await expect(graph.getByText("removed: renamed")).toBeVisible();
  await expect(card(page, /^File people/).getByRole("button", { name: "fax" })).toBeVisible();
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await expect(page.getByRole("table", { name: "Columns of the graph" })).toContainText("removed");
  const column = "datasetField:postgres://then:5432:people:phone";
  await page.goto(at(fresh, "/lineage", { node, column, before }));
  await expect(graph.getByText("removed: renamed")).toBeVisible();
  await expect(graph.getByText("added: identity")).toBeVisible();
  await expect(graph.getByText("changed: identity → masked")).toHaveCount(0);
});

test("columns of a dataset reach to the next datasets", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: ORDERS }));
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Upstream" })).toHaveValue("2");
  await expect(card(page, /^Table shop.public.orders/)).toBeVisible();
});

test("a live picture has an address for other pages, and shows the same nodes", async ({
  page,
  river,
}) => {
  await page.goto(at(river, "/lineage", { node: CDC }));
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "Copy the address of a live picture" }).click();
  await expect(page.getByText("Address copied")).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const cards = await page.locator(".react-flow__node-node").count();
  await page.goto(address);
  await expect(page.locator("svg g.node")).toHaveCount(cards);
  await expect(page.getByText("Degraded")).toBeVisible();
});
