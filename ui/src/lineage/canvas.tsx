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
} from "@xyflow/react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Flow, Places } from "@/graph/placing";
import type { Scene } from "@/graph/scene";
import { HEIGHT, WIDTH } from "@/graph/size";
import { type Arrow, step } from "@/graph/walking";
import { useActions } from "./actions";
import { type CardNode, flowEdges, flowNodes } from "./flow-parts";
import { LineageEdge } from "./lineage-edge";
import { NodeCard } from "./node-card";
import { GroupNode, StubNode } from "./other-nodes";
import { Overview } from "./overview";

const NODE_TYPES = { node: NodeCard, stub: StubNode, group: GroupNode } as unknown as NodeTypes;
const EDGE_TYPES = { lineage: LineageEdge } as never;
/** From so many nodes on only what is in view is drawn, and from afar only shapes. */
const MANY = 80;
const FAR = 0.42;

interface Said {
  scene: Scene;
  places: Places;
  /** Changes when the view should be fitted anew. */
  fitKey: string;
  flow: Flow;
  root: string;
  select: (id: string | undefined) => void;
  move: (id: string, to: { x: number; y: number }) => void;
  children?: ReactNode;
}

export function Canvas({ scene, places, fitKey, flow, root, select, move, children }: Said) {
  const [nodes, setNodes, onNodesChange] = useNodesState<CardNode>([]);
  const isFar = useStore((state) => state.transform[2] < FAR) && scene.nodes.size > MANY;
  useEffect(() => setNodes(flowNodes(scene, places, flow)), [scene, places, flow, setNodes]);
  const edges = useMemo(() => flowEdges(scene, places, flow), [scene, places, flow]);
  useFit(scene, places, fitKey, root);
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
      {scene.nodes.size > 12 && scene.nodes.size <= 300 && (
        <MiniMap
          pannable
          zoomable
          maskColor="transparent"
          nodeColor="var(--edge)"
          ariaLabel="Map of the graph"
          className="max-lg:hidden"
        />
      )}
      {isFar && <Overview scene={scene} places={places} flow={flow} />}
      <Panel position="top-left">{children}</Panel>
    </ReactFlow>
  );
}

const NO_NODES: CardNode[] = [];
const NO_EDGES: never[] = [];

/** A small graph is shown whole; a large one where its root is. */
function useFit(scene: Scene, places: Places, fitKey: string, root: string): void {
  const { fitBounds, setCenter } = useReactFlow();
  const store = useStoreApi();
  const isReady = useStore((state) => state.width > 0 && state.panZoom !== null);
  const fitted = useRef("");
  useEffect(() => {
    const ids = Object.keys(places);
    const middle = places[root];
    if (!isReady || ids.length === 0 || fitted.current === fitKey) return;
    fitted.current = fitKey;
    const pane = store.getState();
    if (ids.length > MANY && middle) {
      void setCenter(middle.x + WIDTH / 2, middle.y + HEIGHT / 2, { zoom: 0.75 });
      return;
    }
    const boxes = ids.flatMap((id) => {
      const [at, one] = [places[id], scene.nodes.get(id)];
      return at && one ? [{ ...at, width: one.width, height: one.height }] : [];
    });
    const [left, top] = [
      Math.min(...boxes.map((one) => one.x)),
      Math.min(...boxes.map((one) => one.y)),
    ];
    const right = Math.max(...boxes.map((one) => one.x + one.width));
    const bottom = Math.max(...boxes.map((one) => one.y + one.height));
    // Cards larger than drawn at rest would only look coarse.
    const width = Math.max(right - left, pane.width * 0.9);
    const height = Math.max(bottom - top, pane.height * 0.9);
    const bounds = { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
    void fitBounds(bounds, { padding: 0.08 });
  }, [places, scene, fitKey, isReady, root, store, fitBounds, setCenter]);
}

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
