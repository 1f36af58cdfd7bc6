import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { nameQuery } from "@/api/queries";
import { namedIn, type Renames } from "@/graph/renamed";
import type { Graph } from "@/graph/types";
import type { View } from "@/graph/view";

/** An address may name any number of nodes; so many of them are asked after at most. */
const MOST_ASKED = 20;

/** What the nodes go by now that a view names and its graph lacks: an alias may have been made. */
export function useRenames(view: View, graph: Graph): { renames: Renames; isAsking: boolean } {
  const missing = useMemo(
    () =>
      graph.nodes.size === 0
        ? []
        : [...namedIn(view)].filter((id) => !graph.nodes.has(id)).slice(0, MOST_ASKED),
    [view, graph],
  );
  const { names, isAsking } = useQueries({
    queries: missing.map(nameQuery),
    combine: (answers) => ({
      names: answers.map((one) => one.data ?? null),
      isAsking: answers.some((one) => one.isPending),
    }),
  });
  const renames = useMemo(() => {
    const known = missing.map((id, index) => [id, names[index] ?? id] as const);
    return new Map(known.filter(([before, now]) => before !== now));
  }, [missing, names]);
  return { renames, isAsking };
}
