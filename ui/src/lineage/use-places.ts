import { useEffect, useMemo, useRef, useState } from "react";
import {
  type Flow,
  keepInPlace,
  type LayoutTask,
  type Places,
  placeInColumns,
} from "@/graph/placing";
import type { Scene } from "@/graph/scene";
import { type Placed, place } from "@/layout/place";

/** So long a reader looks at nothing; then a first graph stands in plain columns meanwhile. */
const PATIENCE = 250;

export interface Layout {
  places: Places;
  /** How it is laid out by now: nothing yet, in plain columns until the layout comes, for good. */
  stage: "empty" | "meanwhile" | Flow;
  isPlacing: boolean;
  /** Why the careful layout was not used. */
  reason: string | undefined;
  cancel: () => void;
}

interface Kept extends Placed, Pick<Layout, "stage"> {
  root: string;
}

const nothing = (root: string): Kept => ({ places: {}, engine: "columns", stage: "empty", root });

/** Where everything goes. What `anchor` names stays where it was, as long as the root is the same. */
export function usePlaces(scene: Scene, flow: Flow, root: string, anchor: string): Layout {
  const [kept, setKept] = useState(() => nothing(root));
  const placed = kept.root === root ? kept : nothing(root);
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
    const timer = setTimeout(() => {
      setKept((before) =>
        before.root !== root || before.stage === "empty"
          ? { ...nothing(root), places: placeInColumns(task, root), stage: "meanwhile" }
          : before,
      );
    }, PATIENCE);
    void place(task, root, own.signal).then((answer) => {
      if (!isCurrent) return;
      clearTimeout(timer);
      setPlacing(false);
      setKept((before) => ({
        ...answer,
        places: keepInPlace(answer.places, before.root === root ? before.places : {}, held.current),
        stage: task.flow,
        root,
      }));
    });
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      own.abort();
    };
  }, [task, root]);
  const { places, stage, reason } = placed;
  return { places, stage, isPlacing, reason, cancel: () => controller.current?.abort() };
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
