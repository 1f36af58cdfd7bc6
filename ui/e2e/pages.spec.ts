import { startProxy } from "./proxy";
import { river as pipeline } from "./river";
import { event, minutesAgo, promising, rowsRead, schema, send } from "./seed";
import { makeToken, startIssuer, startServer } from "./server";
import { at, expect, test } from "./test";

const SINK = "job:kafka-connect://production:orders-to-lake";
const LAKE = "dataset:s3://lake:raw/orders";
const CDC = "job:kafka-connect://production:shop-cdc";

test("an empty store says what to do, and fills without reloading", async ({ page, fresh }) => {
  await page.goto(fresh.url);
  await expect(page.getByRole("heading", { name: "Nothing here yet" })).toBeVisible();
  await expect(page.getByText(`OPENLINEAGE_URL=${fresh.url}`)).toBeVisible();
  await expect(page.getByRole("status", { name: "Live updates" })).toContainText("Live");
  await send(fresh.url, pipeline());
  await expect(page.getByRole("region", { name: "Failing now" })).toContainText("orders-to-lake");
  await expect(page.getByRole("status", { name: "Live updates" })).toContainText("5 events/min");
});

test("thousands of new datasets are one line of what changed, and hide nothing else", async ({
  page,
  fresh,
}) => {
  const outputs = Array.from({ length: 3000 }, (_, at) => ({
    namespace: "mysql://shard:3306",
    name: `t_${at}`,
  }));
  await send(fresh.url, [...pipeline(), event({ job: "import", outputs })]);
  await page.goto(fresh.url);
  const changed = page.getByRole("region", { name: "What changed today" });
  const many = changed.getByRole("link", { name: "3,000 datasets in mysql://shard:3306" });
  await expect(many).toBeVisible();
  await expect(changed.getByRole("link", { name: "daily-revenue" })).toBeVisible();
  await many.click();
  await expect(page.getByRole("status").filter({ hasText: "3,000 found" })).toBeVisible();
});

test("a degraded connector says so wherever its state is told", async ({ page, river }) => {
  await page.goto(at(river, "/job", { node: CDC }));
  await expect(page.getByRole("main").getByText(/Degraded$/)).toHaveCount(2);
  await expect(page.getByRole("region", { name: "About" })).toContainText("1 of 2 tasks failed");
  await expect(page.getByRole("main").getByText(/Running$/)).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("shop-cdc");
  await expect(page.getByRole("option", { name: /shop-cdc/ })).toContainText("Degraded");
});

test("views are saved by name, opened, renamed and deleted", async ({ page, river }) => {
  await page.goto(at(river, "/lineage", { node: CDC, up: 2, flow: "TB" }));
  await expect(page.getByRole("group", { name: /^Connector shop-cdc/ })).toBeVisible();
  const saved = page.getByRole("button", { name: "Saved views" });
  await saved.click();
  const dialog = page.getByRole("dialog", { name: "Saved views" });
  await expect(dialog.getByLabel("Name of this view")).toHaveValue("Lineage of shop-cdc");
  await dialog.getByLabel("Name of this view").fill("<b>mine</b>");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("link", { name: "<b>mine</b>" })).toBeVisible();
  await page.goto(river.url);
  await saved.click();
  await dialog.getByRole("button", { name: "Rename <b>mine</b>" }).click();
  await dialog.getByLabel("New name of <b>mine</b>").fill("the shop");
  await page.keyboard.press("Enter");
  await dialog.getByRole("link", { name: "the shop" }).click();
  await expect(page).toHaveURL(/flow=TB/);
  await expect(page.getByRole("group", { name: /^Connector shop-cdc/ })).toBeVisible();
  await saved.click();
  await dialog.getByRole("button", { name: "Delete the shop" }).click();
  await expect(dialog.getByText("None yet.")).toBeVisible();
});

test("home: what fails, what is new, rates, the largest consumers", async ({ page, river }) => {
  await page.goto(river.url);
  await expect(page.getByRole("region", { name: "Failing now" }).getByRole("link")).toHaveCount(1);
  const changed = page.getByRole("region", { name: "What changed today" });
  await expect(changed.getByRole("listitem").filter({ hasText: "New job" })).toHaveCount(3);
  await expect(
    page.getByRole("table", { name: "Events by the hour" }).getByRole("row"),
  ).toHaveCount(25);
  await expect(page.getByRole("region", { name: "Largest consumers" })).toContainText("2 in");
});

test("home tells what changed: edges, schemas, configurations, states", async ({ page, fresh }) => {
  const table = (name: string, ...columns: string[]) => ({
    namespace: "postgres://shop:5432",
    name,
    ...(columns.length > 0 ? { facets: schema(...columns) } : {}),
  });
  const ran = (minutes: number, type: "COMPLETE" | "FAIL", configVersion: string) => ({
    job: "load",
    time: minutesAgo(minutes),
    type,
    runFacets: { mainstem_connector: { configVersion, tasks: [], edges: [], control: [] } },
  });
  const [old, today] = [3 * 24 * 60, 30];
  await send(fresh.url, [
    event({ job: "other", time: minutesAgo(old), inputs: [table("late")] }),
    event({
      ...ran(old, "COMPLETE", "config-a"),
      inputs: [table("orders")],
      outputs: [table("sums", "id", "total")],
    }),
    event({
      ...ran(today, "COMPLETE", "config-b"),
      inputs: [table("orders"), table("late")],
      outputs: [table("sums", "id", "amount")],
    }),
    event({
      ...ran(today - 20, "FAIL", "config-b"),
      inputs: [table("orders"), table("late")],
      outputs: [table("sums", "id", "amount")],
    }),
  ]);
  await page.goto(fresh.url);
  const changed = page.getByRole("region", { name: "What changed today" });
  await expect(changed.getByRole("listitem")).toHaveCount(4);
  const row = (what: string) => changed.getByRole("listitem").filter({ hasText: what });
  await expect(row("now reads late").getByRole("link", { name: "load" })).toBeVisible();
  await expect(
    row("added amount; removed total").getByRole("link", { name: "sums" }),
  ).toBeVisible();
  await expect(row("Completed → Failed")).toBeVisible();
  await changed.getByRole("combobox", { name: "Show" }).selectOption("Configuration");
  await expect(changed.getByRole("listitem")).toHaveCount(1);
  await row("Configuration").getByRole("link", { name: "load" }).click();
  await expect(page).toHaveURL(/\/job\?.*before=config-a.*after=config-b/);
  // Until the other page is there, home stands and keeps what was chosen.
  await expect(page.getByRole("region", { name: "Runs" })).toBeVisible();
  await page.goBack();
  await row("now reads late").getByRole("link").click();
  await expect(page).toHaveURL(/\/lineage\?.*before=/);
  await expect(page.getByRole("application").getByText("added", { exact: true })).toBeVisible();
});

test("states and new edges appear on the graph without reloading", async ({ page, fresh }) => {
  const table = { namespace: "postgres://live:5432", name: "orders" };
  const run = { job: "live-job", run: "20000000-0000-4000-8000-000000000001" };
  await send(fresh.url, [event({ ...run, type: "START", inputs: [table] })]);
  await page.goto(at(fresh, "/lineage", { node: "job:spark://jobs:live-job" }));
  await expect(page.getByRole("group", { name: "Job live-job, Running" })).toBeVisible();
  const added = { namespace: "s3://lake", name: "late" };
  await send(fresh.url, [event({ ...run, type: "FAIL", inputs: [table], outputs: [added] })]);
  await expect(page.getByRole("group", { name: "Job live-job, Failed" })).toBeVisible();
  await expect(page.getByRole("group", { name: "File late" })).toBeVisible();
});

test("throughput is shown and follows without reloading", async ({ page, fresh }) => {
  const run = "20000000-0000-4000-8000-000000000002";
  const topic = { namespace: "kafka://live:9092", name: "orders" };
  const told = (rows: number) =>
    event({
      job: "live-sink",
      run,
      type: "RUNNING",
      inputs: [{ ...topic, inputFacets: rowsRead(rows) }],
      jobFacets: promising(60),
      runFacets: { mainstem_connector: { tasks: [], edges: [], control: [] } },
    });
  await send(fresh.url, [told(1500)]);
  await page.goto(at(fresh, "/lineage", { node: "job:spark://jobs:live-sink" }));
  await expect(
    page.getByRole("group", { name: /live-sink, Running.*1\.5K rows\/min/ }),
  ).toBeVisible();
  // On the card and on the edge.
  await expect(
    page.getByRole("application").getByText("1.5K rows/min", { exact: true }),
  ).toHaveCount(2);
  await send(fresh.url, [told(240)]);
  await expect(
    page.getByRole("group", { name: /live-sink, Running.*240 rows\/min/ }),
  ).toBeVisible();
  await send(fresh.url, [event({ job: "live-sink", run, type: "COMPLETE" })]);
  await expect(page.getByRole("group", { name: /live-sink, Completed.*240 rows$/ })).toBeVisible();
});

test("a server that fails, hangs or comes back is told in words", async ({ page, river }) => {
  await page.clock.install();
  const address = at(river, "/lineage", { node: CDC });
  await page.route("**/api/v2/lineage?**", (route) => route.abort());
  await page.goto(address);
  const alert = page.getByRole("alert");
  await expect(async () => {
    await page.clock.runFor(5000);
    await expect(alert).toContainText("the server cannot be reached", { timeout: 500 });
  }).toPass();
  await page.unroute("**/api/v2/lineage?**");
  await page.route("**/api/v2/lineage?**", () => {});
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(async () => {
    await page.clock.runFor(31_000);
    await expect(alert).toContainText("did not answer within 30 s", { timeout: 500 });
  }).toPass();
  await page.unroute("**/api/v2/lineage?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("group", { name: /^Connector shop-cdc/ })).toBeVisible();
});

test("a page that was opened before the server was updated reloads, and stands where it was sent", async ({
  page,
  river,
}) => {
  await page.goto(river.url);
  await expect(page.getByRole("region", { name: "Failing now" })).toBeVisible();
  const gone = { status: 404, body: "" };
  await page.route("**/assets/lineage-*.js", (route) => route.fulfill(gone), { times: 1 });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("orders-to-lake");
  await page.getByRole("option", { name: /orders-to-lake/ }).click();
  await expect(page.getByRole("group", { name: /^Connector orders-to-lake/ })).toBeVisible();
});

test("below a proxy's path, whether the proxy takes it off or leaves it on", async ({ page }) => {
  const server = await startServer("--root-path", "/tools/lineage");
  const proxy = await startProxy("/tools/lineage", server.url);
  try {
    await send(server.url, pipeline());
    for (const base of [`${server.url}/tools/lineage`, `${proxy.url}/tools/lineage`]) {
      await page.goto(base);
      await expect(page.getByRole("status", { name: "Live updates" })).toContainText("Live");
      await page
        .getByRole("region", { name: "Failing now" })
        .getByRole("link", { name: "orders-to-lake" })
        .click();
      await expect(page).toHaveURL((url) => url.pathname === "/tools/lineage/lineage");
      await expect(page.getByRole("group", { name: /^Connector orders-to-lake/ })).toBeVisible();
      await page.reload();
      await expect(page.getByRole("group", { name: /^Connector orders-to-lake/ })).toBeVisible();
      await page.goto(`${base}/dataset?node=${encodeURIComponent(LAKE)}`);
      await expect(page.getByRole("region", { name: "Columns" })).toContainText("amount");
    }
  } finally {
    await proxy.stop();
    await server.stop();
  }
});

test("a run that stopped reporting is shown as unknown", async ({ page, fresh }) => {
  await send(fresh.url, [
    event({
      job: "silent",
      type: "RUNNING",
      time: minutesAgo(600),

      jobFacets: promising(60),
    }),
  ]);
  await page.goto(at(fresh, "/job", { node: "job:spark://jobs:silent" }));
  await expect(page.getByRole("region", { name: "Runs" })).toContainText("Unknown");
  await page.goto(fresh.url);
  await expect(page.getByText("Stopped reporting", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "1 job stopped reporting" })).toBeVisible();
});

test("job page: timeline, error folded and redacted, facets", async ({ page, river }) => {
  await page.goto(at(river, "/job", { node: SINK }));
  const runs = page.getByRole("region", { name: "Runs" });
  await expect(runs.getByRole("row").nth(1)).toContainText("Failed");
  await expect(runs.getByRole("row").nth(1)).toContainText("40 min");
  await expect(page.getByText("second line")).toBeHidden();
  await runs
    .getByText(/ConnectException/)
    .first()
    .click();
  await expect(page.getByText("second line")).toBeVisible();
  await page.getByText("errorMessage", { exact: true }).click();
  expect(await page.content()).not.toContain("hunter2");
  // A topic is most often called as its table is: only the namespace tells them apart.
  await page.goto(at(river, "/job", { node: CDC }));
  for (const [title, namespace] of [
    ["Reads", "postgres://shop-db:5432"],
    ["Writes", "kafka://broker-1:9092"],
  ] as const) {
    await expect(page.getByRole("region", { name: title })).toContainText(namespace);
  }
});

test("job page: versions of the configuration and their difference", async ({ page, river }) => {
  await page.goto(at(river, "/job", { node: CDC }));
  const difference = page.getByRole("figure", { name: "Difference of the configuration" });
  await expect(difference).toContainText('removed:   "configVersion": "c0"');
  await expect(difference).toContainText("shop.public.orders");
});

test("dataset page: columns, schema versions, who writes, who reads, tags, owners", async ({
  page,
  fresh,
}) => {
  await send(fresh.url, pipeline());
  const table = { namespace: "postgres://shop-db:5432", name: "shop.public.customers" };
  await send(fresh.url, [
    event({
      job: "later",
      inputs: [],
      outputs: [{ ...table, facets: schema("id", "email", "phone") }],
    }),
  ]);
  await page.goto(
    at(fresh, "/dataset", { node: "dataset:postgres://shop-db:5432:shop.public.customers" }),
  );
  await expect(page.getByRole("region", { name: "About" })).toContainText("team-shop");
  await expect(page.getByRole("region", { name: "About" })).toContainText("pii");
  await expect(page.getByRole("region", { name: "Columns" })).toContainText("phone");
  await expect(page.getByRole("region", { name: "Written by" })).toContainText("later");
  await expect(page.getByRole("region", { name: "Read by" })).toContainText("shop-cdc");
  await expect(page.getByRole("figure", { name: "Difference of the schema" })).toContainText(
    "added: phone",
  );
});

test("a narrow window cuts nothing off, and a blank name can be clicked", async ({
  page,
  fresh,
}) => {
  const blank = { namespace: "s3://lake", name: " " };
  await send(fresh.url, [...pipeline(), event({ job: "odd", outputs: [blank] })]);
  await page.setViewportSize({ width: 420, height: 800 });
  for (const path of ["/", "/search"]) {
    await page.goto(at(fresh, path));
    await expect(page.getByRole("link", { name: /daily/ }).first()).toBeVisible();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, path).toBeLessThanOrEqual(0);
  }
  await page.getByRole("link", { name: "(blank)" }).click();
  await expect(page.getByRole("region", { name: "Written by" })).toContainText("odd");
});

test("Ctrl-K finds jobs, datasets and columns; a column opens lit", async ({ page, river }) => {
  await page.goto(river.url);
  await expect(page.getByRole("button", { name: /^Search/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search jobs, datasets and columns" }).fill("shop-cdc");
  await expect(page.getByRole("option", { name: /shop-cdc/ })).toBeVisible();
  await page.getByRole("combobox").fill("revenue");
  const hit = page.getByRole("option", { name: /marts.daily_revenue/ });
  await expect(hit).toBeVisible();
  await page.getByRole("combobox").fill("customer_id");
  await expect(page.getByRole("option").first()).toContainText("column customer_id");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/lineage\?.*column=/);
  await expect(page.getByRole("status", { name: "About this view" })).toContainText("customer_id");
});

test("a selector opens a node with its hops", async ({ page, river }) => {
  await page.goto(river.url);
  await page.getByRole("button", { name: /^Search/ }).click();
  await page.getByRole("combobox", { name: /Search jobs/ }).fill("1+raw/orders");
  await page.getByRole("option", { name: /raw\/orders/ }).click();
  await expect(page).toHaveURL(/down=0/);
  await expect(page.getByRole("group", { name: /^Connector orders-to-lake/ })).toBeVisible();
  await expect(page.getByRole("group", { name: /^Spark job/ })).toHaveCount(0);
});

test("browse: filters by namespace, kind, state and tag live in the address", async ({
  page,
  river,
}) => {
  await page.goto(at(river, "/search"));
  await expect(page.getByRole("status").filter({ hasText: "found" })).toContainText("9 found");
  await page.getByLabel("State").selectOption("FAILED");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("State").selectOption("any");
  await page.getByLabel("With the tag").fill("pii");
  await expect(page.getByRole("row").nth(1)).toContainText("shop.public.customers");
  await page.getByLabel("With the tag").fill("");
  await page.getByLabel("Kind").selectOption("TOPIC");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Namespace").selectOption("s3://lake");
  await expect(page.getByText("Nothing fits.")).toBeVisible();
  await page.goto(at(river, "/search"));
  await page.getByLabel("Platform").selectOption("PostgreSQL");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Platform").selectOption("Kafka Connect");
  await page.getByLabel("Cluster").selectOption("kafka-connect://production");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.reload();
  await expect(page.getByRole("row").nth(1)).toContainText("orders-to-lake");
});

test("light, dark and system, kept", async ({ page, river }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(river.url);
  const root = page.locator("html");
  await expect(root).toHaveClass(/dark/);
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect(root).not.toHaveClass(/dark/);
  await page.reload();
  await expect(root).not.toHaveClass(/dark/);
});

test("a server that asks for a token is signed in to, and out of", async ({ page, fresh }) => {
  const token = await makeToken(fresh);
  await page.goto(fresh.url);
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("not known");
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Nothing here yet" })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("Token")).toBeVisible();
});

test("people sign in with an issuer, come back to where they were, and leave", async ({ page }) => {
  const issuer = await startIssuer("staff");
  const server = await startServer("--oidc-issuer", issuer.url, "--oidc-client-id", "mainstem");
  try {
    const begin = page.getByRole("link", { name: `Sign in with ${new URL(issuer.url).host}` });
    await page.goto(at(server, "/search", { type: "JOB" }));
    await begin.click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page.getByRole("alert")).toContainText("the sign-in was refused");
    await expect(page.getByLabel("Token")).toBeVisible();
    await begin.click();
    await page.getByRole("link", { name: "Continue as ada" }).click();
    await expect(page.getByRole("heading", { name: "Browse" })).toBeVisible();
    expect(page.url()).toBe(at(server, "/search", { type: "JOB" }));
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(begin).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  } finally {
    await server.stop();
    await issuer.stop();
  }
});

test("an address that names nothing is answered in words", async ({ page, river }) => {
  await page.goto(at(river, "/no/such/page"));
  await expect(page.getByText("There is no such page.")).toBeVisible();
  await page.goto(at(river, "/lineage", { node: "job:nobody:nothing" }));
  await expect(page.getByRole("alert")).toContainText("nothing");
  await page.goto(at(river, "/job", { node: "nonsense" }));
  await expect(page.getByText("This address names no job.")).toBeVisible();
});
