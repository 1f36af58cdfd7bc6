import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { BASE } from "@/api/client";
import { findingsQuery } from "@/api/queries";
import { download, pngOf } from "@/components/download";
import { Empty, Failed, Loading } from "@/components/messages";
import { useTitle } from "@/components/node-page";
import { byNode } from "@/graph/findings";
import { parseNodeId } from "@/graph/node-id";
import { graphAsOpenLineage } from "@/graph/openlineage";
import { type Renames, renamed } from "@/graph/renamed";
import { pictureAddress } from "@/graph/requests";
import { edgeRows, edgesAsCsv, graphAsJson } from "@/graph/rows";
import { shorten } from "@/graph/shorten";
import { svgOf } from "@/graph/svg";
import type { ApiNode, Graph } from "@/graph/types";
import { readView, sideKey, toggleColumns, toggleSide, type View, writeView } from "@/graph/view";
import { warmUp } from "@/layout/place";
import { type Actions, ActionsContext } from "@/lineage/actions";
import { Canvas } from "@/lineage/canvas";
import { GraphTables } from "@/lineage/graph-tables";
import { LitColumnsContext } from "@/lineage/lit-columns";
import { useMoved } from "@/lineage/moved";
import { Notes, notesOf } from "@/lineage/notes";
import { SidePanel } from "@/lineage/side-panel";
import { type Exports, Toolbar } from "@/lineage/toolbar";
import { usePlaces } from "@/lineage/use-places";
import { useRenames } from "@/lineage/use-renames";
import { useScene } from "@/lineage/use-scene";

const route = getRouteApi("/lineage");
warmUp();

export function LineagePage() {
  const raw = route.useSearch();
  const view = useMemo(() => readView(raw), [raw]);
  const [formerly, setFormerly] = useState<Renames>(new Map());
  const isCalled = useCallback(
    (now: string, before: string) =>
      setFormerly((known) => new Map([...known, [now, known.get(before) ?? before]])),
    [],
  );
  const parsed = parseNodeId(view.node);
  if (!parsed) {
    return <Empty title="Choose a job or a dataset: press Ctrl K to search." />;
  }
  return (
    // Another node is another page; one that only goes by another name is not.
    <ReactFlowProvider key={formerly.get(view.node) ?? view.node}>
      <Lineage view={view} title={parsed.name} isCalled={isCalled} />
    </ReactFlowProvider>
  );
}

interface Said {
  view: View;
  title: string;
  /** Told what the root goes by now, before the address says so. */
  isCalled: (now: string, before: string) => void;
}

function Lineage({ view, title, isCalled }: Said) {
  useTitle(`Lineage of ${title}`);
  const navigate = route.useNavigate();
  const [anchor, setAnchor] = useState<string>();
  const become = useCallback(
    (next: (now: View) => View, replace = false) =>
      void navigate({ replace, search: (now) => writeView(next(readView(now))) }),
    [navigate],
  );
  const change = useCallback(
    (said: Partial<Record<keyof View, unknown>>) => become((now) => ({ ...now, ...said }) as View),
    [become],
  );
  const { graph, drawing, scene, isPending, isTruncated, error, again } = useScene(view);
  const layout = usePlaces(scene, view.flow, view.node, anchor ?? view.node);
  const { moved, move, reset } = useMoved(view.node, view.flow);
  const places = useMemo(() => ({ ...layout.places, ...moved }), [layout.places, moved]);
  const found = useQuery(findingsQuery).data?.findings;
  const findings = useMemo(() => byNode(found ?? []), [found]);
  const actions = useMemo<Actions>(
    () => ({
      toggle: (id, side, isOpen) => {
        setAnchor(id);
        become((now) => toggleSide(now, id, side, isOpen));
      },
      showMore: (id, side, count) => {
        setAnchor(id);
        const key = sideKey(side, id);
        // The server may not have sent them: they need not be on a way to the root.
        become((now) => ({
          ...now,
          open: [...new Set([...now.open, key])],
          more: { ...now.more, [key]: (now.more[key] ?? 0) + count },
        }));
      },
      toggleColumns: (id) => {
        setAnchor(id);
        become((now) => toggleColumns(now, id));
      },
      selectColumn: (column) => change({ column }),
      narrowTo: (ns) => change({ ns }),
      showFindings: (select) => change({ select, panel: "findings" }),
      findings,
      column: view.column,
      root: view.node,
      selected: view.select,
      flow: view.flow,
    }),
    [become, change, findings, view.column, view.node, view.select, view.flow],
  );
  const litColumns = useMemo(
    () =>
      scene.isLit && view.column !== undefined
        ? new Set([
            view.column,
            ...scene.columnLines.flatMap((line) => line.id.slice("column:".length).split("\u0000")),
          ])
        : undefined,
    [scene, view.column],
  );
  const { renames, isAsking } = useRenames(view, graph);
  const isRenaming = isAsking || renames.size > 0;
  useEffect(() => {
    if (renames.size === 0) return;
    const root = renames.get(view.node);
    if (root !== undefined) isCalled(root, view.node);
    become((now) => renamed(now, renames), true);
  }, [renames, view.node, isCalled, become]);
  const chosen = useChosen(view.select, graph, isRenaming);
  const fileName = `lineage-${title.replace(/[^\w.-]+/g, "-").slice(0, 60)}`;
  const svg = () => svgOf(scene, layout.places, view.flow, `Lineage of ${title}`);
  const exports: Exports = [
    ["SVG picture", () => download(`${fileName}.svg`, svg(), "image/svg+xml")],
    [
      "PNG picture",
      () => void pngOf(svg()).then((blob) => download(`${fileName}.png`, blob, "image/png")),
    ],
    [
      "JSON graph",
      () => download(`${fileName}.json`, graphAsJson(scene, view.node), "application/json"),
    ],
    ["CSV edges", () => download(`${fileName}.csv`, edgesAsCsv(edgeRows(scene)), "text/csv")],
    [
      "OpenLineage events",
      () => {
        const lines = graphAsOpenLineage(scene, new Date().toISOString());
        download(`${fileName}.ndjson`, lines, "application/x-ndjson");
      },
    ],
    [
      "Copy the address of a live picture",
      async () => {
        await navigator.clipboard.writeText(pictureAddress(BASE, view));
        return "Address copied";
      },
    ],
  ];
  if (error && graph.nodes.size === 0)
    return <Failed what="The lineage" error={error} again={again} />;
  return (
    <ActionsContext value={actions}>
      <LitColumnsContext value={litColumns}>
        <div className="flex h-full flex-col">
          <h1 className="sr-only">Lineage of {shorten(title, 100)}</h1>
          <Toolbar
            view={view}
            graph={graph}
            hiddenControl={drawing.hiddenControl}
            hiddenJobs={drawing.hiddenJobs}
            change={change}
            exports={isPending || layout.stage === "empty" ? [] : exports}
          />
          <div className="flex min-h-0 flex-1 max-lg:flex-col">
            <div className="min-h-0 min-w-0 flex-1">
              {view.as === "table" ? (
                <GraphTables scene={scene} />
              ) : (
                <Canvas
                  scene={scene}
                  places={places}
                  stage={layout.stage}
                  flow={view.flow}
                  root={view.node}
                  select={(select) => become((now) => withSelect(now, select), true)}
                  move={move}
                >
                  <Notes
                    view={view}
                    texts={notesOf(drawing, isTruncated, layout.reason)}
                    problem={error?.message}
                    again={again}
                    isPlacing={layout.isPlacing}
                    cancel={layout.cancel}
                    reset={Object.keys(moved).length > 0 ? reset : undefined}
                    change={change}
                  />
                  {isPending && graph.nodes.size === 0 && <Loading what="the lineage" />}
                </Canvas>
              )}
            </div>
            {chosen && <SidePanel view={view} scene={scene} node={chosen} change={change} />}
          </div>
        </div>
      </LitColumnsContext>
    </ActionsContext>
  );
}

/**
 * The node that is chosen; its panel stays open while it is asked what the node goes by now, and
 * until the graph by that name is there.
 */
function useChosen(
  select: string | undefined,
  graph: Graph,
  isRenaming: boolean,
): ApiNode | undefined {
  const last = useRef<ApiNode>(undefined);
  const found = select === undefined ? undefined : graph.nodes.get(select);
  useEffect(() => {
    if (found) last.current = found;
  }, [found]);
  const isAwaited = graph.nodes.size === 0 || (isRenaming && last.current?.id === select);
  return found ?? (isAwaited && select !== undefined ? last.current : undefined);
}

function withSelect(view: View, select: string | undefined): View {
  const { select: _, ...rest } = view;
  return select === undefined ? rest : { ...rest, select };
}
