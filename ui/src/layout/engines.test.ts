import { expect, test } from "vitest";
import type { CarefulEngine, LayoutTask } from "@/graph/placing";
import { ENGINES } from "./engines";

const task: LayoutTask = {
  boxes: ["a", "b", "c", "loop"].map((id) => ({ id, width: 248, height: 78 })),
  lines: [
    { id: "1", source: "a", target: "b" },
    { id: "2", source: "b", target: "c" },
    { id: "3", source: "b", target: "loop" },
    { id: "4", source: "loop", target: "b" },
  ],
  flow: "LR",
};

test.each(["elk", "dagre"] as const)(
  "%s puts data left of what is made from it",
  async (engine: CarefulEngine) => {
    const layOut = await ENGINES[engine]();
    const places = await layOut(task);
    expect(Object.keys(places).sort()).toEqual(["a", "b", "c", "loop"]);
    expect(places.a?.x).toBeLessThan(places.b?.x ?? 0);
    expect(places.b?.x).toBeLessThan(places.c?.x ?? 0);
    const below = await layOut({ ...task, flow: "TB" });
    expect(below.a?.y).toBeLessThan(below.b?.y ?? 0);
  },
);
