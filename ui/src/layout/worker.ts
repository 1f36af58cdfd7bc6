import type { CarefulEngine, LayoutTask, Places } from "@/graph/placing";
import { ENGINES } from "./engines";

declare const self: DedicatedWorkerGlobalScope;

export interface Wanted {
  engine: CarefulEngine;
  /** Left out where the engine is only to be made ready: then there is no answer. */
  task?: LayoutTask;
  /** Told again with every answer: a page may have gone on to another task meanwhile. */
  number: number;
}

/** The engine is ready and begins; or this is where everything goes; or why not. */
export type Told = { number: number } & ({ begun: true } | { places: Places } | { error: string });

let newest = 0;

const tell = (told: Told) => self.postMessage(told);

// Not onmessage: elk takes that for itself as soon as it is loaded in a worker.
self.addEventListener("message", async ({ data }: MessageEvent<Wanted>) => {
  const { engine, task, number } = data;
  newest = number;
  try {
    const layOut = await ENGINES[engine]();
    // While the engine was loaded the page may have thought better of it.
    if (!task || number !== newest) return;
    tell({ number, begun: true });
    tell({ number, places: await layOut(task) });
  } catch (error) {
    if (task) tell({ number, error: String(error) });
  }
});
