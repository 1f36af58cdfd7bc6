import type { Moved } from "./throughput";
import type { ApiNode, Edge, Side } from "./types";

/** What stands on the page. */
export type DrawnNode =
  | {
      type: "node";
      id: string;
      node: ApiNode;
      /** Neighbours that are not shown, each side. */
      hidden: Record<Side, number>;
      isOpen: Record<Side, boolean>;
      /** What a connector uses this topic for, where it does. */
      control?: string;
      moved?: Moved;
    }
  | { type: "stub"; id: string; of: string; side: Side; count: number }
  | { type: "group"; id: string; namespace: string; nodeType: "JOB" | "DATASET"; count: number };

export interface DrawnEdge extends Edge {
  /** How many edges this one stands for. */
  count: number;
}

export interface Drawing {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  hiddenControl: number;
  filteredOut: number;
  /** Jobs that touch what is shown and are not shown themselves, because that was asked for. */
  hiddenJobs: number;
  /** Jobs that are shown although jobs are hidden: too many lines would stand in their place. */
  tooWide: number;
  isRolledUp: boolean;
}
