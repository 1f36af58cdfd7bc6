import {
  type Engine,
  engineFor,
  type LayoutTask,
  type Places,
  placeInColumns,
} from "@/graph/placing";

export interface Placed {
  places: Places;
  engine: Engine;
  /** Why the careful layout was not used, where it was not. */
  reason?: string;
}

export const DEADLINE = 10_000;
const LONGEST_IDLE = 30_000;

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
  worker.postMessage({ engine: engineFor(0) });
  giveBack(worker);
}

/** Places for a graph, thought out in a worker; in plain columns when it is cancelled or too slow. */
export function place(
  task: LayoutTask,
  root: string | undefined,
  cancel: AbortSignal,
  deadline = DEADLINE,
): Promise<Placed> {
  const engine = engineFor(task.boxes.length);
  return new Promise((resolve) => {
    const worker = takeWorker();
    const giveUp = (reason: string) => {
      worker.terminate();
      finish(inColumns(task, root, reason));
    };
    const timer = setTimeout(() => giveUp("the layout took too long"), deadline);
    const onCancel = () => giveUp("the layout was cancelled");
    const finish = (placed: Placed) => {
      clearTimeout(timer);
      cancel.removeEventListener("abort", onCancel);
      resolve(placed);
    };
    cancel.addEventListener("abort", onCancel);
    worker.onerror = (event) => giveUp(`the layout failed: ${event.message}`);
    worker.onmessage = (message: MessageEvent<{ places?: Places; error?: string }>) => {
      const { places, error } = message.data;
      if (!places) return giveUp(`the layout failed: ${error ?? "no answer"}`);
      giveBack(worker);
      finish({ places, engine });
    };
    worker.postMessage({ task, engine });
  });
}

function inColumns(task: LayoutTask, root: string | undefined, reason: string): Placed {
  return { places: placeInColumns(task, root), engine: "columns", reason };
}
