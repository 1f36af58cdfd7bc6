import type { components } from "@/api/schema";
import type { Confidence } from "./confidence";

export type ApiNode = components["schemas"]["GraphNode"];
export type ApiEdge = components["schemas"]["GraphEdge"];
export type ApiGraph = components["schemas"]["Graph"];
export type ColumnDifference = components["schemas"]["ColumnDifference"];
export type ColumnGraph = components["schemas"]["ColumnGraphShape"];
export type ColumnLink = components["schemas"]["ColumnLink"];

/** Where data comes from, and where it goes. */
export type Side = "up" | "down";
export const SIDES: readonly Side[] = ["up", "down"];

export type Change = "added" | "removed";

/** How a column is made from another, where two times are compared also what became of that. */
export interface ComparedLink extends ColumnLink {
  change?: Change | "changed";
  /** How it was made before, where that changed. */
  before?: ColumnLink["summary"];
}

export interface ComparedColumns extends Omit<ColumnGraph, "edges"> {
  edges: readonly ComparedLink[];
}

export interface Edge {
  id: string;
  source: string;
  target: string;
  evidence: string;
  /** How sure that is; an edge that stands for others, or for what is not shown, has none. */
  confidence?: Confidence;
  /** What went over it, where the producer counts. */
  rows?: number | null;
  rowsPerMinute?: number | null;
  /** Set where two times are compared. */
  change?: Change;
  /** The jobs that stand between, where those are hidden. */
  through?: readonly ApiNode[];
}

export type Pair = components["schemas"]["Pair"];
export type Pairs = ReadonlyMap<string, readonly Pair[]>;

export interface Graph {
  nodes: ReadonlyMap<string, ApiNode>;
  edges: ReadonlyMap<string, Edge>;
  /** Neighbours by node id. */
  up: ReadonlyMap<string, readonly string[]>;
  down: ReadonlyMap<string, readonly string[]>;
  /** Which input becomes which output, by job that tells it. */
  pairs: Pairs;
}
