import type { Drawing, DrawnEdge, DrawnNode } from "./drawn";
import { edgeId } from "./model";

/** A drawing too large to read, with one node per namespace; the root stays as it is. */
export function rollUp(drawing: Drawing, root: string): Drawing {
  const groupOf = new Map<string, string>();
  const groups = new Map<string, Extract<DrawnNode, { type: "group" }>>();
  const kept: DrawnNode[] = [];
  for (const one of drawing.nodes) {
    if (one.type !== "node" || one.id === root) {
      if (one.type === "node" || one.type === "group") kept.push(one);
      continue;
    }
    const { namespace, type: nodeType } = one.node;
    const id = `group:${nodeType}:${namespace}`;
    groupOf.set(one.id, id);
    const group = groups.get(id);
    if (group) group.count += 1;
    else groups.set(id, { type: "group", id, namespace, nodeType, count: 1 });
  }
  const known = new Set([...kept.map((one) => one.id), ...groups.keys()]);
  const edges = new Map<string, DrawnEdge>();
  for (const edge of drawing.edges) {
    const source = groupOf.get(edge.source) ?? edge.source;
    const target = groupOf.get(edge.target) ?? edge.target;
    if (source === target || !known.has(source) || !known.has(target)) continue;
    const id = edgeId(source, target);
    const there = edges.get(id);
    if (there) there.count += edge.count;
    else edges.set(id, { id, source, target, evidence: "rolled up", count: edge.count });
  }
  return {
    ...drawing,
    nodes: [...kept, ...groups.values()],
    edges: [...edges.values()],
    isRolledUp: true,
  };
}
