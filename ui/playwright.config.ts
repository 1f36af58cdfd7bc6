import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { defineConfig } from "@playwright/test";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser that is installed; Playwright's own needs a download that not every machine may do. */
function chromium(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(existsSync);
  if (!found) throw new Error(`no browser on the PATH: install one of ${NAMES.join(", ")}`);
  return found;
}

export default defineConfig({
  testDir: "e2e",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 2,
  reporter: [["line"]],
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: chromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    permissions: ["clipboard-read", "clipboard-write"],
  },
});
