import { test as plain } from "@playwright/test";
import { river } from "./river";
import { send } from "./seed";
import { type Server, startServer } from "./server";

export { expect } from "@playwright/test";

/** Tests with a real server: `river` holds the pipeline, `fresh` nothing. */
export const test = plain.extend<{ fresh: Server; problems: string[] }, { river: Server }>({
  river: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from this pattern
    async ({}, use) => {
      const server = await startServer();
      await send(server.url, river());
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from this pattern
  fresh: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
  // What the browser complains of: errors, refused scripts, dialogs, a layout that failed.
  problems: [
    async ({ page }, use) => {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("dialog", (dialog) => {
        problems.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("console", (said) => {
        if (said.type() === "error" && /Content Security Policy|^elk failed/i.test(said.text()))
          problems.push(said.text());
      });
      await use(problems);
      plain.expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

export const at = (server: Server, path: string, search: Record<string, unknown> = {}): string => {
  const url = new URL(path, server.url);
  for (const [key, value] of Object.entries(search)) {
    url.searchParams.set(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  return url.href;
};
