import {
  type Edge as FlowEdge,
  type Node as FlowNode,
  type NodeHandle,
  Position,
} from "@xyflow/react";
import { knownWords } from "@/graph/confidence";
import { endsLeft } from "@/graph/curve";
import type { DrawnEdge, DrawnNode } from "@/graph/drawn";
import { kindWord } from "@/graph/kind";
import type { Flow, Places } from "@/graph/placing";
import type { Scene, SceneNode } from "@/graph/scene";
import { columnMiddle } from "@/graph/size";
import { stateOf } from "@/graph/state";
import { middle } from "@/graph/svg";
import { isFailing, throughLabel, throughWords } from "@/graph/through";
import { movedOver, movedWords } from "@/graph/throughput";
import type { EdgeData } from "./lineage-edge";

export type CardNode = FlowNode<{ one: SceneNode; isFaded: boolean }>;

/** The scene in React Flow's words. */
export function flowNodes(scene: Scene, places: Places, flow: Flow): CardNode[] {
  const nodes: CardNode[] = [];
  for (const [id, one] of scene.nodes) {
    const at = places[id];
    if (!at) continue;
    nodes.push({
      id,
      // React Flow has a look of its own for what is called a group.
      type: one.drawn.type === "group" ? "namespace" : one.drawn.type,
      position: at,
      width: one.width,
      height: one.height,
      // Told, so that a node out of sight is not drawn once only to be measured.
      measured: { width: one.width, height: one.height },
      handles: handlesOf(one, flow),
      data: { one, isFaded: scene.isLit && !one.isLit },
      ariaLabel: wordsOf(one.drawn),
      focusable: one.drawn.type === "node",
    });
  }
  return nodes;
}

function handlesOf(one: SceneNode, flow: Flow): NodeHandle[] {
  const { width, height } = one;
  const size = { width: 1, height: 1 };
  const main: NodeHandle[] =
    flow === "LR"
      ? [
          { id: "in", type: "target", position: Position.Left, x: 0, y: middle(one), ...size },
          {
            id: "out",
            type: "source",
            position: Position.Right,
            x: width,
            y: middle(one),
            ...size,
          },
        ]
      : [
          { id: "in", type: "target", position: Position.Top, x: width / 2, y: 0, ...size },
          {
            id: "out",
            type: "source",
            position: Position.Bottom,
            x: width / 2,
            y: height,
            ...size,
          },
        ];
  const columns = one.columns.rows.flatMap((row, at): NodeHandle[] => {
    const y = columnMiddle(at);
    return [
      endsLeft(flow)
        ? { id: `in ${row.path}`, type: "target", position: Position.Left, x: 0, y, ...size }
        : { id: `in ${row.path}`, type: "target", position: Position.Right, x: width, y, ...size },
      { id: `out ${row.path}`, type: "source", position: Position.Right, x: width, y, ...size },
    ];
  });
  return [...main, ...columns];
}

function labelOf(edge: DrawnEdge): string | undefined {
  if (edge.evidence === "rolled up") return edge.count > 1 ? `${edge.count}` : undefined;
  const moved = movedOver([edge]);
  return throughLabel(edge) ?? (moved && movedWords(moved));
}

export function titleOf(edge: DrawnEdge): string {
  const moved = movedOver([edge]);
  return [knownWords(edge), edge.change, moved && movedWords(moved), throughWords(edge)]
    .filter(Boolean)
    .join(", ");
}

export function flowEdges(scene: Scene, places: Places, flow: Flow): FlowEdge<EdgeData>[] {
  const edges: FlowEdge<EdgeData>[] = [];
  for (const edge of scene.edges) {
    if (!places[edge.source] || !places[edge.target]) continue;
    const [source, target] = [scene.nodes.get(edge.source), scene.nodes.get(edge.target)];
    if (!source || !target) continue;
    const isOnPath = source.isLit && target.isLit;
    edges.push({
      id: edge.id,
      source: edge.source,
      target: edge.target,
      sourceHandle: "out",
      targetHandle: "in",
      type: "lineage",
      focusable: false,
      data: {
        flow,
        kind: isFailing(edge) ? "failing" : "plain",
        change: edge.change,
        label: edge.change ?? labelOf(edge),
        title: titleOf(edge),
        isFaded: scene.isLit && !isOnPath,
      },
    });
  }
  for (const line of scene.columnLines) {
    if (!places[line.source] || !places[line.target]) continue;
    edges.push({
      id: line.id,
      source: line.source,
      target: line.target,
      sourceHandle: `out ${line.sourceColumn}`,
      targetHandle: `in ${line.targetColumn}`,
      type: "lineage",
      focusable: false,
      data: {
        flow,
        kind: "column",
        change: line.change,
        label: line.change ? `${line.change}: ${line.word}` : line.isLit ? line.word : undefined,
        title: `${line.sourceColumn} to ${line.targetColumn}: ${line.word}`,
        isFaded: false,
      },
    });
  }
  return edges;
}

function wordsOf(drawn: DrawnNode): string {
  if (drawn.type !== "node") return "";
  const { node, hidden } = drawn;
  const state = stateOf(node);
  const parts = [
    `${kindWord(node)} ${node.name}`,
    state?.word,
    node.connector
      ? `${node.connector.tasksRunning} of ${node.connector.tasks} tasks running`
      : undefined,
    drawn.moved && movedWords(drawn.moved),
    hidden.up > 0 ? `${hidden.up} more upstream` : undefined,
    hidden.down > 0 ? `${hidden.down} more downstream` : undefined,
  ];
  return parts.filter(Boolean).join(", ");
}
