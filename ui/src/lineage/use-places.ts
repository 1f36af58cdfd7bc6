import { useEffect, useMemo, useRef, useState } from "react";
import { type Flow, keepInPlace, type LayoutTask, type Places } from "@/graph/placing";
import type { Scene } from "@/graph/scene";
import { type Placed, place } from "@/layout/place";

export interface Layout {
  places: Places;
  /** Changes whenever a layout has come. */
  number: number;
  isPlacing: boolean;
  /** Why the careful layout was not used. */
  reason: string | undefined;
  cancel: () => void;
}

/** Where everything goes. What `anchor` names stays where it was. */
export function usePlaces(scene: Scene, flow: Flow, root: string, anchor: string): Layout {
  const [placed, setPlaced] = useState<Placed & { number: number }>({
    places: {},
    engine: "columns",
    number: 0,
  });
  const [isPlacing, setPlacing] = useState(false);
  const controller = useRef<AbortController>(undefined);
  const held = useRef(anchor);
  held.current = anchor;
  const task = useStable(useMemo(() => taskOf(scene, flow), [scene, flow]));
  useEffect(() => {
    if (task.boxes.length === 0) return;
    const own = new AbortController();
    controller.current = own;
    let isCurrent = true;
    setPlacing(true);
    void place(task, root, own.signal).then((answer) => {
      if (!isCurrent) return;
      setPlacing(false);
      setPlaced((before) => ({
        ...answer,
        places: keepInPlace(answer.places, before.places, held.current),
        number: before.number + 1,
      }));
    });
    return () => {
      isCurrent = false;
      own.abort();
    };
  }, [task, root]);
  const { places, number, reason } = placed;
  return { places, number, isPlacing, reason, cancel: () => controller.current?.abort() };
}

function taskOf(scene: Scene, flow: Flow): LayoutTask {
  const boxes = [...scene.nodes].map(([id, { width, height }]) => ({ id, width, height }));
  const lines = scene.edges.map(({ id, source, target }) => ({ id, source, target }));
  return { boxes, lines, flow };
}

/** The same task as long as nothing in it changes: a state that changed moves no node. */
function useStable(task: LayoutTask): LayoutTask {
  const kept = useRef<{ key: string; task: LayoutTask }>(undefined);
  const key = useMemo(() => JSON.stringify(task), [task]);
  if (kept.current?.key !== key) kept.current = { key, task };
  return kept.current.task;
}
