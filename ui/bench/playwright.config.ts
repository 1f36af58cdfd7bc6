import { defineConfig } from "@playwright/test";
import base from "../playwright.config";

export default defineConfig(base, {
  testDir: ".",
  testMatch: "page.bench.ts",
  timeout: 600_000,
  workers: 1,
});
