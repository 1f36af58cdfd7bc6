import type { Drawing, DrawnNode } from "./drawn";
import { type FieldRow, type ListedColumns, listColumns } from "./fields";
import { type Lit, linkWord } from "./lit";
import { datasetOfField, parseNodeId } from "./node-id";
import type { Places } from "./placing";
import { type Size, sizeOf } from "./size";
import type { ComparedLink } from "./types";

/** One node with its columns and its size: all that drawing and exporting need. */
export interface SceneNode extends Size {
  drawn: DrawnNode;
  columns: ListedColumns;
  isLit: boolean;
}

export interface ColumnLine {
  id: string;
  source: string;
  target: string;
  sourceColumn: string;
  targetColumn: string;
  word: string;
  /** Set where two times are compared. */
  change?: ComparedLink["change"];
  isLit: boolean;
}

export interface Scene {
  nodes: ReadonlyMap<string, SceneNode>;
  edges: Drawing["edges"];
  columnLines: readonly ColumnLine[];
  /** Whether something is lit, so that the rest fades. */
  isLit: boolean;
}

export interface SceneParts {
  drawing: Drawing;
  /** Columns of the datasets that are open. */
  fields: ReadonlyMap<string, readonly FieldRow[]>;
  links: readonly ComparedLink[];
  lit: Lit | undefined;
  litNodes: ReadonlySet<string>;
}

export function sceneOf({ drawing, fields, links, lit, litNodes }: SceneParts): Scene {
  const nodes = new Map<string, SceneNode>();
  const listedFirst = lit ? lit.byDataset : changedColumns(links);
  for (const drawn of drawing.nodes) {
    const first = listedFirst.get(drawn.id) ?? [];
    const open = fields.get(drawn.id);
    const columns =
      open || first.length > 0 ? listColumns(open ?? [], first) : { rows: [], left: 0 };
    nodes.set(drawn.id, {
      drawn,
      columns,
      ...sizeOf(drawn, columns.rows.length, columns.left),
      isLit: litNodes.has(drawn.id),
    });
  }
  const columnLines = (lit ? lit.links : links).flatMap((link) =>
    lineOf(link, nodes, lit !== undefined),
  );
  return { nodes, edges: drawing.edges, columnLines, isLit: lit !== undefined };
}

/** Columns whose making changed, by dataset: seen even where the schema has lost them since. */
function changedColumns(links: readonly ComparedLink[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { source, target, change } of links) {
    if (change === undefined) continue;
    for (const id of [source, target]) {
      const [dataset, column] = [datasetOfField(id), parseNodeId(id)?.field];
      if (dataset === undefined || column === undefined) continue;
      found.set(dataset, [...new Set([...(found.get(dataset) ?? []), column])]);
    }
  }
  return found;
}

function lineOf(
  link: ComparedLink,
  nodes: ReadonlyMap<string, SceneNode>,
  isLit: boolean,
): ColumnLine[] {
  const [source, target] = [datasetOfField(link.source), datasetOfField(link.target)];
  const sourceColumn = parseNodeId(link.source)?.field;
  const targetColumn = parseNodeId(link.target)?.field;
  if (!source || !target || sourceColumn === undefined || targetColumn === undefined) return [];
  const lists = (dataset: string, column: string) =>
    nodes.get(dataset)?.columns.rows.some((row) => row.path === column) ?? false;
  if (!lists(source, sourceColumn) || !lists(target, targetColumn)) return [];
  const id = `column:${link.source}\u0000${link.target}`;
  const change = link.change === undefined ? {} : { change: link.change };
  return [
    { id, source, target, sourceColumn, targetColumn, word: linkWord(link), ...change, isLit },
  ];
}

/** The smallest box that holds every node. */
export function bounds(scene: Scene, places: Places): { x: number; y: number } & Size {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [id, node] of scene.nodes) {
    const at = places[id];
    if (!at) continue;
    left = Math.min(left, at.x);
    top = Math.min(top, at.y);
    right = Math.max(right, at.x + node.width);
    bottom = Math.max(bottom, at.y + node.height);
  }
  if (left === Infinity) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}
