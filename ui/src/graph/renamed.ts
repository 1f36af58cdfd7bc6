import { datasetOfField, fieldId, parseNodeId } from "./node-id";
import { SIDES } from "./types";
import { sideKey, type View } from "./view";

/** What nodes go by now, by what a view calls them: two names that were made one go by one. */
export type Renames = ReadonlyMap<string, string>;

/** Every node that a view names. */
export function namedIn(view: View): ReadonlySet<string> {
  const dataset = view.column === undefined ? undefined : datasetOfField(view.column);
  const single = [view.node, view.select, view.only, dataset].filter((id) => id !== undefined);
  const opened = view.open.map((key) => nodeOfSide(key));
  return new Set([...single, ...view.cols, ...opened]);
}

/** The same view, whose nodes are called what they go by now. */
export function renamed(view: View, renames: Renames): View {
  const now = (id: string) => renames.get(id) ?? id;
  const nowSide = (key: string) => {
    const side = SIDES.find((one) => key.startsWith(`${one}:`));
    return side === undefined ? key : sideKey(side, now(nodeOfSide(key)));
  };
  const { select, only, column } = view;
  return {
    ...view,
    node: now(view.node),
    open: [...new Set(view.open.map(nowSide))],
    shut: [...new Set(view.shut.map(nowSide))],
    more: Object.fromEntries(Object.entries(view.more).map(([key, most]) => [nowSide(key), most])),
    cols: [...new Set(view.cols.map(now))],
    ...(select === undefined ? {} : { select: now(select) }),
    ...(only === undefined ? {} : { only: now(only) }),
    ...(column === undefined ? {} : { column: columnNow(column, now) }),
  };
}

const nodeOfSide = (key: string): string => key.slice(key.indexOf(":") + 1);

function columnNow(column: string, now: (id: string) => string): string {
  const [dataset, field] = [datasetOfField(column), parseNodeId(column)?.field];
  if (dataset === undefined || field === undefined) return column;
  return fieldId(now(dataset), field) ?? column;
}
