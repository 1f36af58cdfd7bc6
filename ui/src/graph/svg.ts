import { columnCurve, curve, endsLeft } from "./curve";
import { kindWord } from "./kind";
import type { Flow, Place, Places } from "./placing";
import { bounds, type ColumnLine, type Scene, type SceneNode } from "./scene";
import { roomFor, shorten } from "./shorten";
import { COLUMN_HEIGHT, columnMiddle, HEIGHT, WIDTH } from "./size";
import { stateOf, type Tone } from "./state";
import { isFailing, throughLabel } from "./through";
import { movedOver, movedWords } from "./throughput";

const MARGIN = 32;
const INK = "#0f172a";
const PALE = "#64748b";
const TONES: Record<Tone, string> = {
  good: "#15803d",
  bad: "#b91c1c",
  warning: "#a16207",
  unknown: "#7e22ce",
  quiet: "#475569",
};
const CHANGES = { added: "#15803d", removed: "#b91c1c", changed: "#a16207" } as const;

/** The whole graph as an SVG that needs nothing else: on white, readable when printed. */
export function svgOf(scene: Scene, places: Places, flow: Flow, title: string): string {
  const box = bounds(scene, places);
  const [width, height] = [box.width + 2 * MARGIN, box.height + 2 * MARGIN];
  const view = [box.x - MARGIN, box.y - MARGIN, width, height].map(Math.round).join(" ");
  const edges = scene.edges.map((edge) => {
    const ends = endsOf(scene, places, flow, edge.source, edge.target);
    if (!ends) return "";
    const plain = isFailing(edge) ? TONES.bad : "#94a3b8";
    const colour = edge.change ? CHANGES[edge.change] : plain;
    const dash = edge.change === "removed" ? ' stroke-dasharray="6 4"' : "";
    const path = `<path class="edge" d="${curve(...ends, flow)}" fill="none" stroke="${colour}" stroke-width="1.5"${dash} marker-end="url(#arrow)"/>`;
    const moved = movedOver([edge]);
    const said = edge.change ?? throughLabel(edge) ?? (moved && movedWords(moved));
    const isTold = edge.change !== undefined || isFailing(edge);
    return said ? path + label(ends, said, isTold ? colour : PALE) : path;
  });
  const columns = scene.columnLines.map((line) => columnPath(scene, places, flow, line));
  const nodes = [...scene.nodes].map(([id, node]) => nodeShape(node, places[id]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width)}" height="${Math.round(height)}" viewBox="${view}" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">`,
    `<title>${xml(title)}</title>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#94a3b8"/></marker></defs>',
    `<rect x="${Math.round(box.x - MARGIN)}" y="${Math.round(box.y - MARGIN)}" width="${Math.round(width)}" height="${Math.round(height)}" fill="#fff"/>`,
    ...edges,
    ...columns,
    ...nodes,
    "</svg>\n",
  ].join("\n");
}

type Ends = [Place, Place];

/** Where a line between two nodes begins and ends. */
export function endsOf(
  scene: Scene,
  places: Places,
  flow: Flow,
  source: string,
  target: string,
): Ends | undefined {
  const [from, to] = [scene.nodes.get(source), scene.nodes.get(target)];
  const [start, end] = [places[source], places[target]];
  if (!from || !to || !start || !end) return undefined;
  return flow === "LR"
    ? [
        { x: start.x + from.width, y: start.y + middle(from) },
        { x: end.x, y: end.y + middle(to) },
      ]
    : [
        { x: start.x + from.width / 2, y: start.y + from.height },
        { x: end.x + to.width / 2, y: end.y },
      ];
}

/** Lines meet a node beside its name, whatever stands below it. */
export const middle = (node: SceneNode): number => Math.min(node.height, HEIGHT) / 2;

function columnPath(scene: Scene, places: Places, flow: Flow, line: ColumnLine): string {
  const [from, to] = [scene.nodes.get(line.source), scene.nodes.get(line.target)];
  const [start, end] = [places[line.source], places[line.target]];
  if (!from || !to || !start || !end) return "";
  const row = (node: SceneNode, column: string) =>
    columnMiddle(node.columns.rows.findIndex((one) => one.path === column));
  const ends: Ends = [
    { x: start.x + from.width, y: start.y + row(from, line.sourceColumn) },
    { x: end.x + (endsLeft(flow) ? 0 : to.width), y: end.y + row(to, line.targetColumn) },
  ];
  const colour = line.change ? CHANGES[line.change] : "#0f766e";
  const dash = line.change === "removed" ? ' stroke-dasharray="6 4"' : "";
  const said = line.change ? `${line.change}: ${line.word}` : line.word;
  return `<path class="column" d="${columnCurve(...ends, flow)}" fill="none" stroke="${colour}" stroke-width="1.5"${dash}/>${wordBeside(ends[1], said, colour, flow)}`;
}

// Beside the column that is made: the middle of the line lies behind the job.
function wordBeside(end: Place, word: string, colour: string, flow: Flow): string {
  const [off, anchor] = endsLeft(flow) ? [-8, "end"] : [8, "start"];
  return `<text x="${Math.round(end.x) + off}" y="${Math.round(end.y) - 4}" text-anchor="${anchor}" font-size="10" fill="${colour}" stroke="#fff" stroke-width="3" paint-order="stroke">${xml(word)}</text>`;
}

function label([from, to]: Ends, word: string, colour: string): string {
  const [x, y] = [Math.round((from.x + to.x) / 2), Math.round((from.y + to.y) / 2)];
  return `<text x="${x}" y="${y - 4}" text-anchor="middle" font-size="10" fill="${colour}" stroke="#fff" stroke-width="3" paint-order="stroke">${xml(word)}</text>`;
}

function nodeShape(one: SceneNode, at: Place | undefined): string {
  if (!at) return "";
  const { drawn } = one;
  const [x, y] = [Math.round(at.x), Math.round(at.y)];
  const open = `<g class="node" transform="translate(${x} ${y})">`;
  const isJob = drawn.type === "node" && drawn.node.type === "JOB";
  const frame = (dash: string) =>
    `<rect width="${one.width}" height="${one.height}" rx="${isJob ? 14 : 6}" fill="#fff" stroke="#cbd5e1"${dash}/>`;
  if (drawn.type === "stub") {
    return `${open}${frame(' stroke-dasharray="4 3"')}${line(12, 22, 11, PALE, `${drawn.count.toLocaleString("en")} more ${drawn.side}stream`)}</g>`;
  }
  if (drawn.type === "group") {
    const what = drawn.nodeType === "JOB" ? "jobs" : "datasets";
    return `${open}${frame("")}${line(12, 34, 13, INK, shorten(drawn.namespace, 32))}${line(12, 54, 11, PALE, `${drawn.count.toLocaleString("en")} ${what}`)}</g>`;
  }
  const { node } = drawn;
  const state = stateOf(node);
  const tone = state ? TONES[state.tone] : "#cbd5e1";
  const parts = [
    `<title>${xml(`${node.namespace} ${node.name}`)}</title>`,
    `<rect y="12" width="4" height="${HEIGHT - 24}" rx="2" fill="${tone}"/>`,
    line(14, 19, 10, PALE, kindWord(node)),
    state ? line(WIDTH - 12, 19, 10, tone, state.word, "end") : "",
    line(14, 40, 13, INK, shorten(node.name, roomFor(node.name, 32)), "start", "600"),
    line(14, 58, 10, PALE, shorten(node.namespace, 42)),
    line(14, 78, 10, PALE, footOf(drawn)),
  ];
  if (one.columns.rows.length > 0) parts.push(`<path d="M0 ${HEIGHT}H${WIDTH}" stroke="#e2e8f0"/>`);
  one.columns.rows.forEach((row, at) => {
    parts.push(line(14 + row.depth * 10, columnMiddle(at) + 4, 11, INK, shorten(row.name, 24)));
    parts.push(line(WIDTH - 12, columnMiddle(at) + 4, 10, PALE, shorten(row.type, 14), "end"));
  });
  if (one.columns.left > 0) {
    const y = HEIGHT + one.columns.rows.length * COLUMN_HEIGHT + 16;
    parts.push(line(14, y, 10, PALE, `${one.columns.left} more columns`));
  }
  return `${open}${frame("")}${parts.join("")}</g>`;
}

function footOf({ node, moved }: Extract<SceneNode["drawn"], { type: "node" }>): string {
  const { connector, columns } = node;
  return [
    ...(connector ? [`${connector.tasksRunning}/${connector.tasks} tasks`] : []),
    ...(columns > 0 ? [`${columns} columns`] : []),
    ...(moved ? [movedWords(moved)] : []),
  ].join(" · ");
}

function line(
  x: number,
  y: number,
  size: number,
  colour: string,
  said: string,
  anchor = "start",
  weight = "400",
): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" text-anchor="${anchor}" font-weight="${weight}">${xml(said)}</text>`;
}

// XML has no way to write most control characters, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function xml(said: string): string {
  return said
    .toWellFormed()
    .replace(UNWRITABLE, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
