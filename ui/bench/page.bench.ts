/**
 * What the page costs, printed as JSON: how soon a first graph stands after the API answered, the
 * longest tasks while 1,000 nodes are laid out and panned, and the size of what is sent.
 *
 * Usage: page.py run bench. Nothing is asserted; bench/ui.py prints what this says.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Page, test } from "@playwright/test";
import { event, send } from "../e2e/seed";
import { startServer } from "../e2e/server";

const STATIC = join(import.meta.dirname, "../../src/mainstem/serve/static");
const JOBS = Number(process.env.MAINSTEM_BENCH_JOBS ?? 10_000);
const table = (name: string) => ({ namespace: "postgres://bench:5432", name });

function sizes(): Record<string, number> {
  const files = readdirSync(STATIC, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|css|html)$/.test(name),
  );
  const packed = files.map(
    (name) => [name, gzipSync(readFileSync(join(STATIC, name))).length] as const,
  );
  const sum = (fits: (name: string) => boolean) =>
    Math.round(
      packed.filter(([name]) => fits(name)).reduce((total, [, size]) => total + size, 0) / 1000,
    );
  const inWorker = /assets\/(elk|dagre|worker)/;
  return {
    "first page, kB gzipped": sum((name) =>
      /assets\/(index|state-badge|rolldown)|index\.html|theme/.test(name),
    ),
    "graph chunk, loaded lazily, kB gzipped": sum((name) => /assets\/lineage/.test(name)),
    "all of the page's own thread, kB gzipped": sum((name) => !inWorker.test(name)),
    "layout worker (elk, dagre), kB gzipped": sum((name) => inWorker.test(name)),
  };
}

const rounded = (milliseconds: number): number => Math.round(milliseconds);

/** The browser's own word on tasks that took long, from the start of the page. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) tasks.push(one.duration);
    }).observe({ type: "longtask", buffered: true });
  });
}

const longest = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const tasks = (window as unknown as { longTasks: number[] }).longTasks;
    return Math.max(0, ...tasks.splice(0));
  });

test("figures", async ({ page }) => {
  const server = await startServer();
  try {
    const jobs = Array.from({ length: JOBS }, (_, at) =>
      event({
        job: `job_${at}`,
        inputs: [table(`t_${at}`), table(`s_${at}`)],
        outputs: [table(`t_${at + 1}`)],
      }),
    );
    // A wide layer of 1,000 nodes: one table, 100 jobs, 9 tables each.
    const wide = Array.from({ length: 100 }, (_, at) =>
      event({
        job: `wide_${at}`,
        inputs: [table("hub")],
        outputs: Array.from({ length: 9 }, (_, out) => table(`w_${at}_${out}`)),
      }),
    );
    await send(server.url, [...jobs, ...wide]);
    await watchTasks(page);

    let answered = 0;
    page.on("response", (response) => {
      if (response.url().includes("/api/v2/lineage")) answered = Date.now();
    });
    await page.goto(`${server.url}/lineage?node=job:spark://jobs:job_5000`);
    await page.getByRole("group", { name: /^Job job_5000/ }).waitFor();
    const firstGraph = Date.now() - answered;
    const firstTask = await longest(page);

    const node = "dataset:postgres://bench:5432:hub";
    const more = JSON.stringify({ [`down:${node}`]: 500 });
    await page.goto(
      `${server.url}/lineage?node=${encodeURIComponent(node)}&down=2&more=${encodeURIComponent(more)}`,
    );
    await page.getByRole("group", { name: /^Table hub/ }).waitFor();
    await page.getByText("Laying out").waitFor({ state: "detached" });
    const laidOut = await longest(page);
    const nodes = await page.evaluate(() => document.querySelectorAll(".react-flow__node").length);
    await page.mouse.move(700, 500);
    for (let round = 0; round < 10; round++) {
      await page.mouse.down();
      await page.mouse.move(700 + (round % 2 ? 400 : -400), 500 + (round % 3) * 120, { steps: 20 });
      await page.mouse.up();
      await page.mouse.move(700, 500);
    }
    const panned = await longest(page);
    for (let round = 0; round < 12; round++) await page.mouse.wheel(0, round < 6 ? 240 : -240);
    const zoomed = await longest(page);
    const figures = {
      ...sizes(),
      [`first graph on ${JOBS} jobs, ms after the API answered`]: firstGraph,
      "longest task of the first graph, ms": rounded(firstTask),
      "cards drawn of 1,001 nodes": nodes,
      "longest task while 1,001 nodes are laid out, ms": rounded(laidOut),
      "longest task while panning, ms": rounded(panned),
      "longest task while zooming, ms": rounded(zoomed),
    };
    process.stdout.write(`\n${JSON.stringify(figures)}\n`);
  } finally {
    await server.stop();
  }
});
