import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import Elk, { type ELK } from "elkjs/lib/elk-api.js";
import { type ESTree, type Plugin, parseSync, Visitor } from "vite";
import { elkGraph, elkWith } from "../src/layout/elk-graph.ts";
import { samples } from "./layouts.ts";

const WORKER = "elkjs/lib/elk-worker.min.js";
/** Of what the parser and the engine both call a function, so much must be the same, or nothing fits. */
const LEAST_KNOWN = 0.99;

/** Elk's worker with no more in it than our layouts use: it is compiled code, which no bundler shakes. */
export function prunedElk(): Plugin {
  return {
    name: "mainstem:pruned-elk",
    apply: "build",
    load: {
      filter: { id: /elkjs\/lib\/elk-worker\.min\.js$/ },
      handler: async (id) => ({ code: await prune(await readFile(id, "utf8")), map: null }),
    },
  };
}

export const elkSource = (): Promise<string> =>
  readFile(createRequire(import.meta.url).resolve(WORKER), "utf8");

/**
 * Elk's worker without the functions that none of our sample layouts calls and none of those that
 * they call leads to by name: a branch that they did not take may still be taken. Others throw.
 */
export async function prune(source: string): Promise<string> {
  const called = await callsOf(source);
  const found = functionsOf(source);
  const known = found.filter((one) => called.has(placeOf(one)));
  if (known.length < found.length * LEAST_KNOWN)
    throw new Error(`of ${found.length} functions of ${WORKER} only ${known.length} were followed`);
  const kept = new Set(known.filter((one) => called.get(placeOf(one))));
  for (let before = 0; before < kept.size; ) {
    before = kept.size;
    for (const one of namedBy(source, kept, known)) kept.add(one);
  }
  const unused = known.filter((one) => !kept.has(one));
  return `${await notice()}function $cut(){throw new Error("not among the parts of elk that are shipped")}\n${without(source, unused)}`;
}

/** Declared functions whose name stands in one of these. */
function namedBy(
  source: string,
  these: ReadonlySet<ESTree.Function>,
  all: readonly ESTree.Function[],
): ESTree.Function[] {
  const names = new Set(
    [...these].flatMap(({ start, end }) => source.slice(start, end).match(/[\w$]+/g) ?? []),
  );
  return all.filter((one) => isDeclared(one) && one.id && names.has(one.id.name));
}

const placeOf = ({ start, end }: ESTree.Function): string => `${start} ${end}`;
const isDeclared = (one: ESTree.Function): boolean => one.type === "FunctionDeclaration";

function functionsOf(source: string): ESTree.Function[] {
  const found: ESTree.Function[] = [];
  const see = (one: ESTree.Function) => found.push(one);
  const { program } = parseSync("elk.js", source, { sourceType: "script" });
  new Visitor({ FunctionDeclaration: see, FunctionExpression: see }).visit(program);
  return found;
}

function without(source: string, unused: readonly ESTree.Function[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const one of unused.toSorted((a, b) => a.start - b.start)) {
    // One inside another that is gone already.
    if (one.start < at) continue;
    // A declaration stays one: it is known above the line it stands in.
    const stub = isDeclared(one) ? `function ${one.id?.name}(){$cut()}` : "$cut";
    parts.push(source.slice(at, one.start), stub);
    at = one.end;
  }
  return parts.join("") + source.slice(at);
}

/** For each function, by where it begins and ends, whether a sample layout called it. */
async function callsOf(source: string): Promise<Map<string, boolean>> {
  const url = "elk-worker-followed.js";
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: false });
  try {
    const elk = loadElk(source, url);
    for (const task of samples()) await elk.layout(elkGraph(task));
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const functions = result.filter((one) => one.url === url).flatMap((one) => one.functions);
    return new Map(
      functions.flatMap(({ ranges: [whole] }) =>
        whole ? [[`${whole.startOffset} ${whole.endOffset}`, whole.count > 0] as const] : [],
      ),
    );
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

/** Elk from whatever became of its source, spoken to as the page's own worker does. */
export function loadElk(source: string, url: string): ELK {
  const module = { exports: {} as { Worker?: new () => Worker } };
  compileFunction(source, ["module", "exports"], { filename: url })(module, module.exports);
  const { Worker: Found } = module.exports;
  if (!Found) throw new Error(`${url} is no worker of elk`);
  return elkWith(Elk, Found);
}

/** What elk's license asks those to say who hand on a changed copy. */
async function notice(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve("elkjs/package.json");
  const { version, license } = JSON.parse(await readFile(manifest, "utf8"));
  return `/*! elkjs ${version}, ${license}, https://github.com/kieler/elkjs; changed: functions that Mainstem's layouts do not call are left out, by Mainstem's ui/elk/pruned-elk.ts */\n`;
}
