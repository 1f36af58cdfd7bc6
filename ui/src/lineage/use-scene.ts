import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  columnDifferenceQuery,
  columnsQuery,
  datasetQuery,
  differenceQuery,
  walkQuery,
} from "@/api/queries";
import type { Drawing } from "@/graph/drawn";
import { type FieldRow, fieldRows } from "@/graph/fields";
import { comparedColumns, litBy, litNodes } from "@/graph/lit";
import { type Answer, merge } from "@/graph/model";
import { parseNodeId } from "@/graph/node-id";
import { hopsOf, walksOf } from "@/graph/requests";
import { type Scene, sceneOf } from "@/graph/scene";
import type { ComparedColumns, Graph } from "@/graph/types";
import type { View } from "@/graph/view";
import { draw } from "@/graph/visible";

/** Column lists are asked for one by one, so at column level not for more than these. */
const MOST_LISTS = 60;
const NOTHING: ReadonlySet<string> = new Set();

export interface Shown {
  graph: Graph;
  drawing: Drawing;
  scene: Scene;
  isPending: boolean;
  isTruncated: boolean;
  error: Error | null;
  again: () => void;
}

/** All that a view shows, asked for and put together. */
export function useScene(view: View): Shown {
  const isComparing = view.before !== undefined;
  const lit = useColumns(view, view.column);
  const column = lit.columns;
  // The path of a column starts at its dataset, which need not be the root.
  const farthest = column ? view.up + view.down + hopsOf(column) : 0;
  const compared = useQuery({
    ...differenceQuery({ ...view, before: view.before ?? "" }, farthest),
    enabled: isComparing && (view.column === undefined || column !== undefined),
  });
  const walks = useQueries({
    queries: (isComparing ? [] : walksOf(view, column)).map((walk) => ({
      ...walkQuery(walk),
      placeholderData: (before: Answer | undefined) => before,
    })) as ReturnType<typeof walkQuery>[],
    combine: (answers) => ({
      answers: answers.flatMap((one) => one.data ?? []),
      isPending: answers.some((one) => one.isPending),
      error: answers.find((one) => one.error)?.error ?? null,
      again: () => {
        for (const one of answers) void one.refetch();
      },
    }),
  });
  const graph = useMemo(() => {
    if (!isComparing) return merge(walks.answers);
    const said = compared.data;
    return merge(
      said
        ? [
            { nodes: said.nodes, edges: said.kept, pairs: said.pairs },
            { nodes: [], edges: said.added.map((edge) => ({ ...edge, change: "added" as const })) },
            {
              nodes: [],
              edges: said.removed.map((edge) => ({ ...edge, change: "removed" as const })),
            },
          ]
        : [],
    );
  }, [isComparing, walks.answers, compared.data]);
  const onPath = useMemo(() => (column ? litNodes(column, graph) : NOTHING), [column, graph]);
  const drawing = useMemo(() => draw(graph, view, onPath), [graph, view, onPath]);
  const fields = useFields(view, drawing);
  const level = useColumns(view, view.level === "column" ? view.node : undefined);
  const scene = useMemo(
    () =>
      sceneOf({
        drawing,
        fields,
        links: level.columns?.edges ?? [],
        lit: column ? litBy(column) : undefined,
        litNodes: onPath,
      }),
    [drawing, fields, level.columns, column, onPath],
  );
  return {
    graph,
    drawing,
    scene,
    isPending: isComparing ? compared.isPending : walks.isPending,
    isTruncated: walks.answers.some((one) => one.truncated),
    error: compared.error ?? walks.error ?? lit.error ?? level.error,
    again: isComparing ? () => void compared.refetch() : walks.again,
  };
}

/** The columns around a node, at the time of a view or as they changed between its two. */
function useColumns(
  view: View,
  node: string | undefined,
): { columns: ComparedColumns | undefined; error: Error | null } {
  const isComparing = view.before !== undefined;
  const standing = useQuery({
    ...columnsQuery(node ?? "", view.asOf),
    enabled: node !== undefined && !isComparing,
  });
  const compared = useQuery({
    ...columnDifferenceQuery(node ?? "", view.before ?? "", view.after),
    enabled: node !== undefined && isComparing,
  });
  const said = compared.data;
  const difference = useMemo(() => said && comparedColumns(said), [said]);
  if (node === undefined) return { columns: undefined, error: null };
  return isComparing
    ? { columns: difference, error: compared.error }
    : { columns: standing.data, error: standing.error };
}

function useFields(view: View, drawing: Drawing): ReadonlyMap<string, readonly FieldRow[]> {
  const open = useMemo(() => {
    const shown = drawing.nodes.flatMap((one) =>
      one.type === "node" && one.node.type === "DATASET" ? [one.id] : [],
    );
    if (view.level === "column") return shown.slice(0, MOST_LISTS);
    const wanted = new Set(view.cols);
    return shown.filter((id) => wanted.has(id));
  }, [drawing, view.level, view.cols]);
  return useQueries({
    queries: open.map((id) => {
      const parsed = parseNodeId(id);
      return datasetQuery(parsed?.namespace ?? "", parsed?.name ?? "");
    }),
    combine: (answers) =>
      new Map(
        answers.flatMap((one, at) =>
          one.data ? [[open[at] as string, fieldRows(one.data.fields)] as const] : [],
        ),
      ),
  });
}
