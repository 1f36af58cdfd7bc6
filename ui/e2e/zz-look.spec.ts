import { test } from "@playwright/test";
import { river } from "./river";
import { send } from "./seed";
import { startServer } from "./server";

test("look", async ({ page }) => {
  const server = await startServer();
  page.on("console", (m) => console.log("console", m.type(), m.text()));
  page.on("pageerror", (e) => console.log("pageerror", e.message, e.stack));
  await page.goto(server.url);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: "/tmp/pg/empty.png" });
  await send(server.url, river());
  await page.waitForTimeout(2500);
  await page.screenshot({ path: "/tmp/pg/home.png" });
  const node = encodeURIComponent("job:kafka-connect://production:shop-cdc");
  await page.goto(`${server.url}/lineage?node=${node}`);
  await page.waitForTimeout(3000);
  await page.screenshot({ path: "/tmp/pg/lineage.png" });
  await page.goto(
    `${server.url}/lineage?node=${node}&down=8&control=true&column=${encodeURIComponent("datasetField:kafka://broker-1:9092:shop.public.orders:amount")}`,
  );
  await page.waitForTimeout(3000);
  await page.screenshot({ path: "/tmp/pg/column.png" });
  await page.goto(
    `${server.url}/job?node=${encodeURIComponent("job:kafka-connect://production:orders-to-lake")}`,
  );
  await page.waitForTimeout(1500);
  await page.screenshot({ path: "/tmp/pg/job.png" });
  await page.goto(
    `${server.url}/dataset?node=${encodeURIComponent("dataset:kafka://broker-1:9092:shop.public.customers")}`,
  );
  await page.waitForTimeout(1500);
  await page.screenshot({ path: "/tmp/pg/dataset.png" });
  await page.goto(`${server.url}/search`);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: "/tmp/pg/search.png" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ema");
  await page.waitForTimeout(1000);
  await page.screenshot({ path: "/tmp/pg/ctrlk.png" });
  await server.stop();
});
