/**
 * What the page costs, printed as JSON: how soon a first graph stands after the API answered, the
 * longest tasks while 1,000 nodes are laid out and panned (by the browser's own tracing), and the
 * size of what is sent.
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

const read = (name: string) => readFileSync(join(STATIC, name), "utf8");

/** What the files of the page weigh, by when the browser asks for them. */
function sizes(): Record<string, number> {
  const assets = readdirSync(join(STATIC, "assets")).map((name) => `assets/${name}`);
  const named = (part: string) => assets.filter((name) => name.startsWith(`assets/${part}`));
  const index = read("index.html");
  const first = ["index.html", "theme.js", ...assets.filter((name) => index.includes(name))];
  const graph = named("lineage").flatMap((name) => [
    name,
    ...[...read(name).matchAll(/from"\.\/([^"]+)"/g)].map(([, chunk]) => `assets/${chunk}`),
  ]);
  const [elk, dagre] = [[...named("worker"), ...named("elk")], named("dagre")];
  const worker = [...elk, ...dagre];
  const kB = (names: readonly string[], without: readonly string[] = []) => {
    const counted = [...new Set(names)].filter((name) => !without.includes(name));
    const bytes = counted.map((name) => gzipSync(readFileSync(join(STATIC, name))).length);
    return Math.round(bytes.reduce((sum, one) => sum + one, 0) / 1000);
  };
  return {
    "first page, kB gzipped": kB(first),
    "more for a graph, loaded lazily, kB gzipped": kB(graph, first),
    "all of the page's own thread, kB gzipped": kB([...first, ...assets], worker),
    "layout worker with elk, loaded lazily, kB gzipped": kB(elk),
    "dagre, loaded by the worker for large graphs, kB gzipped": kB(dagre),
    "everything together, kB gzipped": kB([...first, ...assets]),
  };
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  /** The time that the thread itself ran, without what others took from it. */
  tdur?: number;
  args?: { name?: string };
}

interface Longest {
  wall: number;
  own: number;
}

/** The longest task of the page's own thread while something is done, by the browser's tracing. */
async function longestTask(page: Page, act: () => Promise<void>): Promise<Longest> {
  const browser = page.context().browser();
  if (!browser) throw new Error("there is no browser to trace");
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await act();
  const told = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threads = new Set(
    told.traceEvents
      .filter((one) => one.name === "thread_name" && one.args?.name === "CrRendererMain")
      .map((one) => `${one.pid} ${one.tid}`),
  );
  const tasks = told.traceEvents.filter(
    (one) => one.ph === "X" && /RunTask$/.test(one.name) && threads.has(`${one.pid} ${one.tid}`),
  );
  if (tasks.length === 0) throw new Error("the trace holds no task of the page");
  const most = (of: (one: TraceEvent) => number) =>
    Math.round(tasks.reduce((found, one) => Math.max(found, of(one)), 0) / 1000);
  return { wall: most((one) => one.dur ?? 0), own: most((one) => one.tdur ?? 0) };
}

async function pan(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  for (let round = 0; round < 10; round++) {
    await page.mouse.down();
    await page.mouse.move(700 + (round % 2 ? 400 : -400), 500 + (round % 3) * 120, { steps: 20 });
    await page.mouse.up();
    await page.mouse.move(700, 500);
  }
}

/** In the page: marks when the first card has been painted, and when no layout is awaited. */
function noteFirstCard(): void {
  const painted = (mark: string) =>
    requestAnimationFrame(() => setTimeout(() => performance.mark(mark)));
  let isDrawn = false;
  const watcher = new MutationObserver(() => {
    if (!document.querySelector(".react-flow__node")) return;
    if (!isDrawn) painted("first card");
    isDrawn = true;
    if (document.body.textContent?.includes("Laying out")) return;
    painted("laid out");
    watcher.disconnect();
  });
  watcher.observe(document, { childList: true, subtree: true });
}

/** In the page: how long after the lineage was there those marks were set. */
function sinceTheAnswer(): { drawn: number; laidOutWell: number } {
  const answers = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const answered = answers.find((one) => one.name.includes("/api/v2/lineage"))?.responseEnd ?? 0;
  const at = (mark: string) => performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN;
  const since = (mark: string) => Math.round(at(mark) - answered);
  return { drawn: since("first card"), laidOutWell: since("laid out") };
}

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
    await page.addInitScript(noteFirstCard);
    const first = await longestTask(page, async () => {
      await page.goto(`${server.url}/lineage?node=job:spark://jobs:job_${JOBS / 2}`);
      await page.getByRole("group", { name: `Job job_${JOBS / 2}` }).waitFor();
      await page.getByText("Laying out").waitFor({ state: "detached" });
    });
    const { drawn, laidOutWell } = await page.evaluate(sinceTheAnswer);

    const node = "dataset:postgres://bench:5432:hub";
    const more = JSON.stringify({ [`down:${node}`]: 500 });
    const laidOut = await longestTask(page, async () => {
      await page.goto(
        `${server.url}/lineage?node=${encodeURIComponent(node)}&down=2&more=${encodeURIComponent(more)}`,
      );
      await page.getByRole("group", { name: /^Table hub/ }).waitFor();
      await page.getByText("Laying out").waitFor({ state: "detached" });
    });
    const nodes = await page.evaluate(() => document.querySelectorAll(".react-flow__node").length);
    const panned = await longestTask(page, () => pan(page));
    await page.getByRole("button", { name: "Fit View" }).click();
    await page.mouse.wheel(0, 2400);
    const pannedWhole = await longestTask(page, () => pan(page));
    const zoomed = await longestTask(page, async () => {
      for (let round = 0; round < 12; round++) await page.mouse.wheel(0, round < 6 ? 240 : -240);
    });
    const both = (what: string, { wall, own }: Longest) => ({
      [`longest task ${what}, ms`]: wall,
      [`longest task ${what}, ms of its own thread's time`]: own,
    });
    const figures = {
      ...sizes(),
      [`first graph on ${JOBS} jobs, ms after the API answered`]: drawn,
      "the same laid out by elk, ms after the API answered": laidOutWell,
      ...both("of the first graph", first),
      "cards drawn of 1,001 nodes": nodes,
      ...both("while 1,001 nodes are laid out", laidOut),
      ...both("while panning", panned),
      ...both("while panning with all 1,001 in sight", pannedWhole),
      ...both("while zooming", zoomed),
    };
    process.stdout.write(`\n${JSON.stringify(figures)}\n`);
  } finally {
    await server.stop();
  }
});
