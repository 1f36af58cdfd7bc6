import type { CarefulEngine, LayoutTask } from "@/graph/placing";
import { ENGINES } from "./engines";

declare const self: DedicatedWorkerGlobalScope;

interface Wanted {
  engine: CarefulEngine;
  /** Left out where the engine is only to be made ready: then there is no answer. */
  task?: LayoutTask;
}

const NOTHING: LayoutTask = { boxes: [], lines: [], flow: "LR" };

self.onmessage = async ({ data: { engine, task } }: MessageEvent<Wanted>) => {
  try {
    const places = await ENGINES[engine](task ?? NOTHING);
    if (task) self.postMessage({ places });
  } catch (error) {
    if (task) self.postMessage({ error: String(error) });
  }
};
