import type { CarefulEngine, LayoutTask } from "@/graph/placing";
import { ENGINES } from "./engines";

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = async (message: MessageEvent<{ task: LayoutTask; engine: CarefulEngine }>) => {
  try {
    self.postMessage({ places: await ENGINES[message.data.engine](message.data.task) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
