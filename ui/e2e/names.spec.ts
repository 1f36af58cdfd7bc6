import type { Page } from "@playwright/test";
import { event, send } from "./seed";
import { at, expect, test } from "./test";

const COUNT = 1000;
const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCXYZ0123456789_",
  "абвгдежз",
  "漢字仮名交じり",
  "العربيةעברית",
  "éüßñøı\u0301\u0308",
  "🔥👩‍👧🇪🇺",
  "/:+%#?&=",
  "/:+%#?&=;,.@!$'\"()*~[]{}|\\^<>` \t-",
  "%2F%25%3A%00%zz",
];

/** The same numbers in every run, so that a name that fails can be looked at again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Names of any length and of any letters, no two the same whatever their case. */
function generatedNames(): string[] {
  const next = numbers(20_261_115);
  const names = new Map<string, string>();
  while (names.size < COUNT) {
    const length = [1, 3, 8, 20, 60, 300][next(6)] ?? 1;
    const letters = Array.from({ length: 1 + next(length) }, () => {
      const alphabet = Array.from(ALPHABETS[next(ALPHABETS.length)] ?? "a");
      return alphabet[next(alphabet.length)] ?? "a";
    });
    const name = letters.join("");
    // An address cannot hold these two: a browser takes them for steps in its path.
    if (name !== "." && name !== ".." && name.trim() !== "") names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

interface Told {
  id: string;
  name: string;
  namespace: string;
}

/** Some of the work at a time: a thousand requests at once would only wait for each other. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** In the page: follows every address as a click on a link does, and says where it led. */
async function visit(page: Page, paths: string[]): Promise<string[][]> {
  return page.evaluate(async (all) => {
    const shown = () =>
      [...document.querySelectorAll("[aria-label='Nodes of the graph'] bdi[title]")].map(
        (one) => (one as HTMLElement).title,
      );
    const found: string[][] = [];
    for (const path of all) {
      const before = shown().join("\n");
      history.pushState(null, "", path);
      await new Promise<void>((resolve) => {
        const isThere = () =>
          (shown().length === 4 && shown().join("\n") !== before) ||
          document.querySelector("[role=alert]");
        const watcher = new MutationObserver(() => {
          if (!isThere()) return;
          watcher.disconnect();
          resolve();
        });
        watcher.observe(document.body, { childList: true, subtree: true, attributes: true });
      });
      found.push(shown());
    }
    return found;
  }, paths);
}

test("a thousand generated names are found, opened, shown and linked as they are", async ({
  page,
  fresh,
}) => {
  test.setTimeout(240_000);
  const names = generatedNames();
  const namespaceOf = (index: number) => `s3://${names[(index * 7) % 40]}`;
  await send(
    fresh.url,
    names.map((name, index) =>
      event({ job: name, outputs: [{ namespace: namespaceOf(index), name }] }),
    ),
  );
  const ask = async (path: string, search: Record<string, string> = {}) => {
    const answer = await fetch(at(fresh, path, search));
    expect(answer.status, `${path} ${JSON.stringify(search)}`).toBe(200);
    return answer.json();
  };
  const { nodes } = (await ask("/api/v2/nodes", { type: "DATASET", limit: "5000" })) as {
    nodes: Told[];
  };
  const expected = names.map((name, index) => JSON.stringify([namespaceOf(index), name])).sort();
  expect(nodes.map((one) => JSON.stringify([one.namespace, one.name])).sort()).toEqual(expected);

  await each(nodes, async ({ id, namespace, name }) => {
    const parts = [namespace, "datasets", name].map(encodeURIComponent).join("/");
    expect((await ask(`/api/v1/namespaces/${parts}`)).name).toBe(name);
    const found = await ask("/api/v2/nodes", { q: name, type: "DATASET", namespace });
    expect(found.nodes.map((one: Told) => one.id)).toContain(id);
    const walked = await ask("/api/v2/lineage", { node: id });
    expect(walked.nodes.map((one: Told) => one.name)).toEqual([name, name]);
  });

  await page.goto(at(fresh, "/search", { type: "DATASET" }));
  const linked: Told[] = [];
  for (let offset = 0; offset < COUNT; offset += 50) {
    const counted = page.getByText(`${offset + 1}–${offset + 50} of 1,000`);
    await expect(counted).toBeVisible();
    await expect(page.getByRole("table", { name: "Found" })).toHaveAttribute("aria-busy", "false");
    const links = page.getByRole("row").getByRole("link", { name: /^Lineage of/ });
    await expect(links).toHaveCount(50);
    linked.push(
      ...(await links.evaluateAll((all) =>
        all.map((link) => {
          const row = link.closest("tr") as HTMLElement;
          const [name, namespace] = row.querySelectorAll<HTMLElement>("bdi[title]");
          const id = new URL((link as HTMLAnchorElement).href).searchParams.get("node") ?? "";
          return { id, name: name?.title ?? "", namespace: namespace?.title ?? "" };
        }),
      )),
    );
    if (offset + 50 < COUNT) await page.getByRole("button", { name: "Next" }).click();
  }
  const plain = ({ id, name, namespace }: Told) => JSON.stringify([id, name, namespace]);
  expect(linked.map(plain).sort()).toEqual(nodes.map(plain).sort());

  // Every tenth: a page takes longer to draw than an answer to write.
  const opened = nodes.filter((_, index) => index % 10 === 0);
  await page.goto(at(fresh, "/lineage", { node: nodes[1]?.id, as: "table" }));
  await expect(page.getByRole("table", { name: "Nodes of the graph" })).toBeVisible();
  const paths = opened.map(({ id }) => at(fresh, "/lineage", { node: id, as: "table" }));
  const shown = await visit(page, paths);
  const told = opened.map(({ name, namespace }) => [name, namespace, name, "spark://jobs"]);
  expect(shown).toEqual(told);
});
