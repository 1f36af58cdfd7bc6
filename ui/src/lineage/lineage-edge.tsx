import type { EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { columnCurve, curve, endsLeft } from "@/graph/curve";

export interface EdgeData extends Record<string, unknown> {
  flow: "LR" | "TB";
  kind: "plain" | "failing" | "column";
  change: "added" | "removed" | "changed" | undefined;
  label: string | undefined;
  title: string;
  isFaded: boolean;
}

const STROKES = {
  plain: "var(--edge)",
  failing: "var(--bad)",
  added: "var(--good)",
  removed: "var(--bad)",
  changed: "var(--warning)",
  column: "var(--accent)",
};

export const LineageEdge = memo(function LineageEdge(props: EdgeProps & { data: EdgeData }) {
  const { sourceX, sourceY, targetX, targetY, data } = props;
  const isColumn = data.kind === "column";
  const draw = isColumn ? columnCurve : curve;
  const path = draw({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, data.flow);
  // Beside the column that is made: the middle of the line lies behind the job.
  const before = endsLeft(data.flow);
  const width = isColumn || data.change ? 2 : 1.5;
  return (
    <g opacity={data.isFaded ? 0.25 : 1}>
      <path d={path} fill="none" stroke="transparent" strokeWidth={12}>
        <title>{data.title}</title>
      </path>
      <path
        d={path}
        fill="none"
        style={{ stroke: STROKES[data.change ?? data.kind], strokeWidth: width }}
        pointerEvents="none"
        {...(data.change === "removed" ? { strokeDasharray: "6 4" } : {})}
      />
      {data.label && (
        <text
          x={isColumn ? targetX + (before ? -8 : 8) : (sourceX + targetX) / 2}
          y={isColumn ? targetY - 4 : (sourceY + targetY) / 2 - 4}
          textAnchor={isColumn ? (before ? "end" : "start") : "middle"}
          className="fill-ink stroke-ground text-[10.5px] font-medium"
          strokeWidth={4}
          paintOrder="stroke"
        >
          {data.label}
        </text>
      )}
    </g>
  );
});
