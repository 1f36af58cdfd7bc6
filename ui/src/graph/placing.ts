import type { Size } from "./size";

export interface Box extends Size {
  id: string;
}

export interface Line {
  id: string;
  source: string;
  target: string;
}

export interface Place {
  x: number;
  y: number;
}

export type Places = Record<string, Place>;
export type Flow = "LR" | "TB";
export type Engine = "elk" | "dagre" | "columns";
export type CarefulEngine = Exclude<Engine, "columns">;

export interface LayoutTask {
  boxes: readonly Box[];
  lines: readonly Line[];
  flow: Flow;
}

/** Beyond so many nodes the careful layout takes too long. */
export const MOST_FOR_ELK = 300;

export const engineFor = (nodes: number): CarefulEngine =>
  nodes <= MOST_FOR_ELK ? "elk" : "dagre";

export const GAP = { layer: 90, node: 26 } as const;

/** Where every box goes if there is no time to think: one column per hop, in linear time. */
export function placeInColumns(task: LayoutTask, root: string | undefined): Places {
  const rank = ranks(task, root);
  const along: Map<number, Box[]> = new Map();
  for (const box of task.boxes) {
    const at = rank.get(box.id) ?? 0;
    along.set(at, [...(along.get(at) ?? []), box]);
  }
  const across = task.flow === "LR" ? "height" : "width";
  const depth = Math.max(
    0,
    ...task.boxes.map((box) => (task.flow === "LR" ? box.width : box.height)),
  );
  const places: Places = {};
  for (const [at, boxes] of along) {
    const total = boxes.reduce((sum, box) => sum + box[across] + GAP.node, -GAP.node);
    let offset = -total / 2;
    for (const box of boxes) {
      const layer = at * (depth + GAP.layer);
      places[box.id] = task.flow === "LR" ? { x: layer, y: offset } : { x: offset, y: layer };
      offset += box[across] + GAP.node;
    }
  }
  return places;
}

/** How many hops from the root each box is, negative upstream. */
function ranks(task: LayoutTask, root: string | undefined): Map<string, number> {
  const beside = new Map<string, [string, number][]>();
  const join = (from: string, to: string, step: number) => {
    const list = beside.get(from);
    if (list) list.push([to, step]);
    else beside.set(from, [[to, step]]);
  };
  for (const line of task.lines) {
    join(line.source, line.target, 1);
    join(line.target, line.source, -1);
  }
  const found = new Map<string, number>();
  const starts = [...(root === undefined ? [] : [root]), ...task.boxes.map((box) => box.id)];
  for (const start of starts) {
    if (found.has(start)) continue;
    found.set(start, 0);
    const queue = [start];
    for (let at = 0; at < queue.length; at++) {
      const id = queue[at] as string;
      for (const [next, step] of beside.get(id) ?? []) {
        if (found.has(next)) continue;
        found.set(next, (found.get(id) as number) + step);
        queue.push(next);
      }
    }
  }
  return found;
}

/** Places shifted so that one node stays where it was: what a reader looks at must not jump. */
export function keepInPlace(places: Places, before: Places, anchor: string): Places {
  const [now, then] = [places[anchor], before[anchor]];
  if (!now || !then) return places;
  const [dx, dy] = [then.x - now.x, then.y - now.y];
  const moved = Object.entries(places).map(([id, at]) => [id, { x: at.x + dx, y: at.y + dy }]);
  return Object.fromEntries(moved) as Places;
}
