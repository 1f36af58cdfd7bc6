import type { Flow, Places } from "./placing";
import type { Scene } from "./scene";

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** The node that an arrow key leads to: along an edge, or beside it in the same layer. */
export function step(
  scene: Scene,
  places: Places,
  flow: Flow,
  from: string,
  arrow: Arrow,
): string | undefined {
  const against = flow === "LR" ? "ArrowLeft" : "ArrowUp";
  const along = flow === "LR" ? "ArrowRight" : "ArrowDown";
  const across = flow === "LR" ? "y" : "x";
  const here = places[from];
  if (!here) return undefined;
  const nearest = (
    ids: Iterable<string>,
    fits: (distance: number) => boolean,
  ): string | undefined => {
    let best: [number, string] | undefined;
    for (const id of ids) {
      const there = places[id];
      if (!there || id === from) continue;
      const distance = there[across] - here[across];
      if (fits(distance) && (!best || Math.abs(distance) < best[0]))
        best = [Math.abs(distance), id];
    }
    return best?.[1];
  };
  if (arrow === against || arrow === along) {
    const beside = scene.edges.flatMap((edge) =>
      arrow === along
        ? edge.source === from
          ? [edge.target]
          : []
        : edge.target === from
          ? [edge.source]
          : [],
    );
    return nearest(beside, () => true);
  }
  const forward = arrow === "ArrowDown" || arrow === "ArrowRight";
  const layer = flow === "LR" ? "x" : "y";
  const size = scene.nodes.get(from)?.[flow === "LR" ? "width" : "height"] ?? 0;
  const sameLayer = [...scene.nodes.keys()].filter((id) => {
    const there = places[id];
    return there && Math.abs(there[layer] - here[layer]) < size;
  });
  return nearest(sameLayer, (distance) => (forward ? distance > 0 : distance < 0));
}
