import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const MAINSTEM = join(ROOT, ".venv/bin/mainstem");
const PATIENCE = 60_000;

export interface Server {
  url: string;
  store: string;
  stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** A real server with a store of its own; what it printed is told when it does not come up. */
export async function startServer(...flags: string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "mainstem-page-"));
  const store = join(folder, "store.db");
  const port = await freePort();
  const child = spawn(MAINSTEM, ["serve", "--port", String(port), "--store", store, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const keep = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child, () => printed);
  const stop = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, store, stop };
}

async function answers(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const until = Date.now() + PATIENCE;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`mainstem serve ended:\n${printed()}`);
    const up = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`mainstem serve did not come up:\n${printed()}`);
}

/** A token of a server's store: from then on nobody is let in without one. */
export async function makeToken({ url, store }: Server): Promise<string> {
  const said = execFileSync(MAINSTEM, [
    "token",
    "create",
    "reader",
    "--scope",
    "read",
    "--store",
    store,
  ]);
  const until = Date.now() + PATIENCE;
  while ((await fetch(`${url}/api/v2/summary`)).status !== 401) {
    if (Date.now() > until) throw new Error("the server did not learn of the token");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return said.toString().trim().split(/\s+/).at(-1) ?? "";
}

/** A small OpenID Connect issuer, whose one user is in some groups. */
export async function startIssuer(
  ...groups: string[]
): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = join(ROOT, "tests/oidc_issuer.py");
  const child = spawn(join(ROOT, ".venv/bin/python"), [program, ...groups], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (said: Buffer) => resolve(said.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the issuer ended with ${code}`)));
  });
  const stop = async () => {
    child.kill("SIGKILL");
    await gone;
  };
  return { url, stop };
}
