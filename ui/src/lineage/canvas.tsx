import {
  Background,
  Controls,
  MiniMap,
  type NodeTypes,
  Panel,
  ReactFlow,
  useNodesState,
  useReactFlow,
  useStore,
  useStoreApi,
  type Viewport,
} from "@xyflow/react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import { framed, isInSight } from "@/graph/framing";
import type { Flow, Places } from "@/graph/placing";
import { bounds, type Scene } from "@/graph/scene";
import { HEIGHT, WIDTH } from "@/graph/size";
import { stateOf } from "@/graph/state";
import { type Arrow, step } from "@/graph/walking";
import { useActions } from "./actions";
import { type CardNode, flowEdges, flowNodes } from "./flow-parts";
import { LineageEdge } from "./lineage-edge";
import { NodeCard } from "./node-card";
import { GroupNode, StubNode } from "./other-nodes";
import { FILLS, Overview } from "./overview";
import type { Layout } from "./use-places";

const NODE_TYPES = { node: NodeCard, stub: StubNode, namespace: GroupNode } as unknown as NodeTypes;
const EDGE_TYPES = { lineage: LineageEdge } as never;
/** From so many nodes on only what is in view is drawn, and from afar only shapes. */
const MANY = 80;
const FAR = 0.42;

interface Said {
  scene: Scene;
  places: Places;
  /** The view is fitted anew when this changes. */
  stage: Layout["stage"];
  flow: Flow;
  root: string;
  select: (id: string | undefined) => void;
  move: (id: string, to: { x: number; y: number }) => void;
  children?: ReactNode;
}

export function Canvas({ scene, places, stage, flow, root, select, move, children }: Said) {
  const [nodes, setNodes, onNodesChange] = useNodesState<CardNode>([]);
  const isFar = useStore((state) => state.transform[2] < FAR) && scene.nodes.size > MANY;
  useEffect(() => setNodes(flowNodes(scene, places, flow)), [scene, places, flow, setNodes]);
  const edges = useMemo(() => flowEdges(scene, places, flow), [scene, places, flow]);
  // A map of what is seen whole would only hide a part of it.
  const box = useMemo(() => bounds(scene, places), [scene, places]);
  const isWhole = useStore(({ transform: [x, y, zoom], width, height }) =>
    isInSight(box, { x, y, zoom }, { width, height }),
  );
  useFit(scene, places, stage, root, flow);
  useChosenInSight(scene, places, stage, flow);
  const onKeyDown = useWalking(scene, places, flow, select);
  return (
    <ReactFlow
      nodes={isFar ? NO_NODES : nodes}
      edges={isFar ? NO_EDGES : edges}
      onNodesChange={onNodesChange}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onNodeClick={(_, node) => node.type === "node" && select(node.id)}
      onPaneClick={() => select(undefined)}
      onNodeDragStop={(_, node) => move(node.id, node.position)}
      onKeyDown={onKeyDown}
      onlyRenderVisibleElements={scene.nodes.size > MANY}
      nodesConnectable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      minZoom={0.05}
      maxZoom={2}
      zoomOnDoubleClick={false}
      aria-label="Lineage graph"
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={24} size={1} color="var(--line)" />
      <Controls showInteractive={false} position="bottom-left" />
      {scene.nodes.size > 3 && scene.nodes.size <= 300 && !isWhole && (
        <MiniMap
          pannable
          zoomable
          maskColor="color-mix(in srgb, var(--raised) 70%, transparent)"
          nodeColor={mapColour}
          nodeBorderRadius={8}
          ariaLabel="Map of the graph"
          style={MAP}
          className="max-lg:hidden"
        />
      )}
      {isFar && <Overview scene={scene} places={places} flow={flow} />}
      <Panel position="top-left">{children}</Panel>
    </ReactFlow>
  );
}

const MAP = { width: 168, height: 104 };
const mapColour = ({ data: { one } }: CardNode): string =>
  FILLS[(one.drawn.type === "node" ? stateOf(one.drawn.node)?.tone : undefined) ?? "quiet"];

const NO_NODES: CardNode[] = [];
const NO_EDGES: never[] = [];

/** A graph is shown whole where it can still be read, else the part around its root. */
function useFit(
  scene: Scene,
  places: Places,
  stage: Layout["stage"],
  root: string,
  flow: Flow,
): void {
  const { setViewport, getViewport } = useReactFlow();
  const store = useStoreApi();
  const isReady = useStore((state) => state.width > 0 && state.panZoom !== null);
  const fitted = useRef<{ stage: Layout["stage"]; root: string; view: Viewport }>(undefined);
  useEffect(() => {
    const before = fitted.current?.root === root ? fitted.current : undefined;
    if (!isReady || stage === "empty" || before?.stage === stage) return;
    const { width, height } = store.getState();
    const view = framed(bounds(scene, places), places[root], { width, height }, flow);
    fitted.current = { stage, root, view };
    // Whoever moved while the layout was awaited has chosen where to look.
    if (before?.stage === "meanwhile" && !isSame(before.view, getViewport())) return;
    void setViewport(view);
  }, [places, scene, stage, isReady, root, flow, store, setViewport, getViewport]);
}

/** A node that is chosen comes into sight: its own panel may have pushed it out. */
function useChosenInSight(scene: Scene, places: Places, stage: Layout["stage"], flow: Flow): void {
  const { setViewport, getViewport } = useReactFlow();
  const { selected } = useActions();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const known = useRef({ scene, places });
  known.current = { scene, places };
  // Not whenever places change: what a reader drags away was not lost.
  useEffect(() => {
    const one = selected === undefined ? undefined : known.current.scene.nodes.get(selected);
    const at = selected === undefined ? undefined : known.current.places[selected];
    if (!one || !at || stage === "empty" || width === 0) return;
    const { zoom, ...view } = getViewport();
    const pane = { width, height };
    if (isInSight({ ...at, width: one.width, height: one.height }, { ...view, zoom }, pane)) return;
    const { scene, places } = known.current;
    void setViewport(framed(bounds(scene, places), at, pane, flow, zoom));
  }, [selected, width, height, stage, flow, getViewport, setViewport]);
}

const isSame = (a: Viewport, b: Viewport): boolean =>
  a.x === b.x && a.y === b.y && a.zoom === b.zoom;

/** Arrows walk along edges, Enter selects, + and − open and close, Escape lets go. */
function useWalking(
  scene: Scene,
  places: Places,
  flow: Flow,
  select: (id: string | undefined) => void,
) {
  const { setCenter, getZoom } = useReactFlow();
  const { toggle, selectColumn, toggleColumns } = useActions();
  const focus = (id: string) => {
    const card = document.querySelector<HTMLElement>(
      `.react-flow__node[data-id="${CSS.escape(id)}"]`,
    );
    const at = places[id];
    const pane = document.querySelector(".react-flow")?.getBoundingClientRect();
    const box = card?.getBoundingClientRect();
    const isInside =
      box &&
      pane &&
      box.left >= pane.left &&
      box.right <= pane.right &&
      box.top >= pane.top &&
      box.bottom <= pane.bottom;
    if (!isInside && at) {
      void setCenter(at.x + WIDTH / 2, at.y + HEIGHT / 2, { zoom: Math.max(getZoom(), 0.6) });
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          document
            .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
            ?.focus();
        }),
      );
    } else card?.focus();
  };
  return (event: KeyboardEvent) => {
    const card =
      event.target instanceof HTMLElement
        ? event.target.closest<HTMLElement>(".react-flow__node")
        : null;
    const id = card?.dataset.id;
    if (event.key === "Escape") {
      selectColumn(undefined);
      select(undefined);
      return;
    }
    const one = id === undefined ? undefined : scene.nodes.get(id);
    if (id === undefined || one?.drawn.type !== "node") return;
    if (event.key.startsWith("Arrow")) {
      const next = step(scene, places, flow, id, event.key as Arrow);
      event.preventDefault();
      if (next) focus(next);
      return;
    }
    // A button in the card has its own keys.
    if (event.target !== card) return;
    const { isOpen, hidden } = one.drawn;
    if (event.key === "Enter" || event.key === " ") select(id);
    else if (event.key === "c" && !event.ctrlKey && !event.metaKey) toggleColumns(id);
    else if (event.key === "+")
      for (const side of ["up", "down"] as const) {
        if (!isOpen[side] && hidden[side] > 0) toggle(id, side, false);
      }
    else if (event.key === "-") {
      const side = isOpen.down ? "down" : "up";
      if (isOpen[side]) toggle(id, side, true);
    } else return;
    event.preventDefault();
  };
}
