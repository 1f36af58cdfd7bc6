import { createContext, useContext } from "react";
import type { Finding } from "@/graph/findings";
import type { Side } from "@/graph/types";

/** What can be done to a node on the page. */
export interface Actions {
  toggle: (id: string, side: Side, isOpen: boolean) => void;
  showMore: (id: string, side: Side, count: number) => void;
  toggleColumns: (id: string) => void;
  selectColumn: (column: string | undefined) => void;
  narrowTo: (namespace: string) => void;
  /** Opens the panel on what the doctor says of a node. */
  showFindings: (id: string) => void;
  /** How many findings speak of a node. */
  findings: ReadonlyMap<string, readonly Finding[]>;
  column: string | undefined;
  root: string;
  selected: string | undefined;
  flow: "LR" | "TB";
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("a node is drawn outside of the lineage page");
  return actions;
}
