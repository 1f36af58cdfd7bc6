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
  await page.getByRole("button", { name: "Fit View" }).click();
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
