import {
  type Engine,
  engineFor,
  type LayoutTask,
  type Places,
  placeInColumns,
} from "@/graph/placing";
import type { Told, Wanted } from "./worker";

export interface Placed {
  places: Places;
  engine: Engine;
  /** Why the careful layout was not used, where it was not. */
  reason?: string;
}

export const DEADLINE = 10_000;
const LONGEST_IDLE = 30_000;

let tasks = 0;
let idle: Worker | undefined;
let idleTimer: ReturnType<typeof setTimeout> | undefined;

function takeWorker(): Worker {
  clearTimeout(idleTimer);
  const worker = idle ?? new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  idle = undefined;
  return worker;
}

function giveBack(worker: Worker): void {
  worker.onmessage = null;
  worker.onerror = null;
  idle?.terminate();
  idle = worker;
  idleTimer = setTimeout(() => {
    idle?.terminate();
    idle = undefined;
  }, LONGEST_IDLE);
}

/** Have a worker ready, with the layout that a first graph needs, while the server is asked. */
export function warmUp(): void {
  const worker = takeWorker();
  worker.postMessage({ engine: engineFor(0), number: ++tasks } satisfies Wanted);
  giveBack(worker);
}

/** Places for a graph, thought out in a worker; in plain columns when it is cancelled or too slow. */
export function place(
  task: LayoutTask,
  root: string | undefined,
  cancel: AbortSignal,
  deadline = DEADLINE,
  engine = engineFor(task.boxes.length),
): Promise<Placed> {
  const number = ++tasks;
  return new Promise((resolve) => {
    const worker = takeWorker();
    let hasBegun = false;
    const giveUp = (reason: string, isLost = hasBegun) => {
      // One that still loads its engine can go on to the next task; one that thinks cannot be stopped.
      if (isLost) worker.terminate();
      else giveBack(worker);
      finish(inColumns(task, root, reason));
    };
    const timer = setTimeout(() => giveUp("the layout took too long"), deadline);
    const onCancel = () => giveUp("the layout was cancelled");
    const finish = (placed: Placed | Promise<Placed>) => {
      clearTimeout(timer);
      cancel.removeEventListener("abort", onCancel);
      resolve(placed);
    };
    const fail = (why: string) => {
      if (engine === "dagre") return giveUp(`the layout failed: ${why}`, true);
      // Only a part of elk is shipped; where that is too little, the other layout goes on.
      // biome-ignore lint/suspicious/noConsole: a cut that takes too much must not go unseen
      console.error(`elk failed: ${why}`);
      worker.terminate();
      finish(place(task, root, cancel, deadline, "dagre"));
    };
    cancel.addEventListener("abort", onCancel);
    worker.onerror = (event) => fail(event.message);
    worker.onmessage = ({ data: told }: MessageEvent<Told>) => {
      if (told.number !== number) return;
      if ("begun" in told) hasBegun = true;
      else if ("error" in told) fail(told.error);
      else {
        giveBack(worker);
        finish({ places: told.places, engine });
      }
    };
    worker.postMessage({ task, engine, number } satisfies Wanted);
  });
}

function inColumns(task: LayoutTask, root: string | undefined, reason: string): Placed {
  return { places: placeInColumns(task, root), engine: "columns", reason };
}
