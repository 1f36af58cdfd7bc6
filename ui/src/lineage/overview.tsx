import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import { curve } from "@/graph/curve";
import type { Flow, Places } from "@/graph/placing";
import { bounds, type Scene } from "@/graph/scene";
import { stateOf, type Tone } from "@/graph/state";
import { endsOf } from "@/graph/svg";

export const FILLS: Record<Tone, string> = {
  good: "var(--good)",
  bad: "var(--bad)",
  warning: "var(--warning)",
  unknown: "var(--unknown)",
  quiet: "var(--edge)",
};

/** A large graph from afar: one picture with a few shapes, however many nodes there are. */
export const Overview = memo(function Overview({
  scene,
  places,
  flow,
}: {
  scene: Scene;
  places: Places;
  flow: Flow;
}) {
  const picture = useMemo(() => {
    const box = bounds(scene, places);
    const shapes: Record<Tone, string[]> = {
      good: [],
      bad: [],
      warning: [],
      unknown: [],
      quiet: [],
    };
    for (const [id, one] of scene.nodes) {
      const at = places[id];
      if (!at) continue;
      const tone =
        (one.drawn.type === "node" ? stateOf(one.drawn.node)?.tone : undefined) ?? "quiet";
      shapes[tone].push(
        `M${Math.round(at.x)} ${Math.round(at.y)}h${one.width}v${one.height}h-${one.width}z`,
      );
    }
    const lines = scene.edges.flatMap((edge) => {
      const ends = endsOf(scene, places, flow, edge.source, edge.target);
      return ends ? [curve(...ends, flow)] : [];
    });
    return { box, shapes, lines: lines.join("") };
  }, [scene, places, flow]);
  const { box, shapes, lines } = picture;
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        className="pointer-events-none absolute"
        style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      >
        <path d={lines} fill="none" stroke="var(--edge)" strokeWidth={3} />
        {(Object.keys(shapes) as Tone[]).map((tone) => (
          <path key={tone} d={shapes[tone].join("")} fill={FILLS[tone]} />
        ))}
      </svg>
    </ViewportPortal>
  );
});
