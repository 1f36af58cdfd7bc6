import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { prunedElk } from "./elk/pruned-elk.ts";

export default defineConfig({
  // Relative, so that the page works below any --root-path; index.html has a <base>.
  base: "./",
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
  worker: { format: "es", plugins: () => [prunedElk()] },
  build: {
    outDir: "../src/mainstem/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1700,
  },
  server: { proxy: { "/api": "http://127.0.0.1:5000" } },
  // Only a test that hangs: a machine with much to do is no failure.
  test: { include: ["{src,elk}/**/*.test.ts"], testTimeout: 60_000 },
} as Parameters<typeof defineConfig>[0]);
