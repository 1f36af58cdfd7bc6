import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

export interface Column<T> {
  head: string;
  cell: (row: T) => ReactNode;
  className?: string;
}

interface Said<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
}

const ROW = 34;

/** A table of any length: only the rows in sight are there, and their number is told. */
export function LongTable<T>({ caption, columns, rows, rowKey }: Said<T>) {
  const holder = useRef<HTMLElement>(null);
  const rowsInSight = useVirtualizer({
    count: rows.length,
    getScrollElement: () => holder.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const items = rowsInSight.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = rowsInSight.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={holder}
      tabIndex={0}
      aria-label={caption}
      className="min-h-0 flex-1 overflow-auto"
    >
      <table className="listing" aria-rowcount={rows.length + 1}>
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-10 bg-surface">
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.head} scope="col">
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Spacer height={above} span={columns.length} />}
          {items.map((item) => {
            const row = rows[item.index] as T;
            return (
              <tr key={rowKey(row)} aria-rowindex={item.index + 2} style={{ height: ROW }}>
                {columns.map((column) => (
                  <td key={column.head} className={`max-w-80 truncate ${column.className ?? ""}`}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 && <Spacer height={below} span={columns.length} />}
        </tbody>
      </table>
    </section>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
