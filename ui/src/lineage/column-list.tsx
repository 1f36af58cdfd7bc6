import { Link } from "@tanstack/react-router";
import { Handle, Position } from "@xyflow/react";
import { Name } from "@/components/name";
import { endsLeft } from "@/graph/curve";
import { datasetOfField, fieldId, parseNodeId } from "@/graph/node-id";
import type { SceneNode } from "@/graph/scene";
import { COLUMN_FOOT, COLUMN_HEIGHT, columnMiddle, HEIGHT } from "@/graph/size";
import { useActions } from "./actions";
import { useLitColumns } from "./lit-columns";

/** The columns of a dataset, each a button that lights its path. */
export function ColumnList({ one, dataset }: { one: SceneNode; dataset: string }) {
  const { column: chosen, selectColumn, flow } = useActions();
  const lit = useLitColumns();
  const { rows, left } = one.columns;
  if (rows.length === 0) return null;
  const chosenHere =
    chosen !== undefined && datasetOfField(chosen) === dataset
      ? parseNodeId(chosen)?.field
      : undefined;
  return (
    <>
      <ul
        aria-label="Columns"
        className="absolute inset-x-0 border-t border-line py-[3px]"
        style={{ top: HEIGHT - 1 }}
      >
        {rows.map((row) => {
          const id = fieldId(dataset, row.path);
          const isChosen = row.path === chosenHere;
          const isLit = id !== undefined && lit?.has(id);
          const look = isChosen
            ? "bg-accent text-on-accent"
            : isLit
              ? "bg-accent-ground text-accent"
              : lit
                ? "opacity-45"
                : "";
          return (
            <li key={row.path} style={{ height: COLUMN_HEIGHT }}>
              <button
                type="button"
                aria-pressed={isChosen}
                title={`${row.path} ${row.type}`}
                className={`nodrag flex size-full items-center gap-2 px-3 text-left text-[11.5px] hover:bg-raised hover:text-ink ${look}`}
                style={{ paddingLeft: 14 + row.depth * 10 }}
                onClick={() => selectColumn(isChosen ? undefined : id)}
              >
                <Name text={row.name} most={24} className="font-mono" />
                <span className="flex-1" />
                <Name text={row.type} most={12} className="text-[10.5px] opacity-80" />
              </button>
            </li>
          );
        })}
      </ul>
      {left > 0 && (
        <Link
          to="/dataset"
          search={{ node: dataset }}
          className="nodrag link absolute inset-x-0 bottom-0 px-3.5 text-[11px]"
          style={{ height: COLUMN_FOOT }}
        >
          {left} more columns
        </Link>
      )}
      {rows.map((row, at) => (
        <span key={row.path}>
          <Handle
            id={`in ${row.path}`}
            type="target"
            position={endsLeft(flow) ? Position.Left : Position.Right}
            style={{ top: columnMiddle(at) }}
            isConnectable={false}
          />
          <Handle
            id={`out ${row.path}`}
            type="source"
            position={Position.Right}
            style={{ top: columnMiddle(at) }}
            isConnectable={false}
          />
        </span>
      ))}
    </>
  );
}
