import type { components } from "@/api/schema";

export type ApiNode = components["schemas"]["GraphNode"];
export type ApiEdge = components["schemas"]["GraphEdge"];
export type ApiGraph = components["schemas"]["Graph"];
export type ApiDifference = components["schemas"]["GraphDifference"];
export type ColumnGraph = components["schemas"]["ColumnGraphShape"];
export type ColumnLink = components["schemas"]["ColumnLink"];

/** Where data comes from, and where it goes. */
export type Side = "up" | "down";
export const SIDES: readonly Side[] = ["up", "down"];

export type Change = "added" | "removed";

export interface Edge {
  id: string;
  source: string;
  target: string;
  evidence: string;
  /** Set where two times are compared. */
  change?: Change;
}

export interface Graph {
  nodes: ReadonlyMap<string, ApiNode>;
  edges: ReadonlyMap<string, Edge>;
  /** Neighbours by node id. */
  up: ReadonlyMap<string, readonly string[]>;
  down: ReadonlyMap<string, readonly string[]>;
}
