import type { QueryClient } from "@tanstack/react-query";
import { BASE } from "./client";

export interface Live {
  isConnected: boolean;
  /** Events that arrived since the page was opened, and in the last minute. */
  events: number;
  perMinute: number;
  /** When each node last changed, in milliseconds. */
  touched: ReadonlyMap<string, number>;
}

interface Told {
  events: number;
  jobs: string[];
  datasets: string[];
}

const MINUTE = 60_000;
/** However many events come, the page asks again at most this often. */
const BETWEEN_LOOKS = 1000;

let live: Live = { isConnected: false, events: 0, perMinute: 0, touched: new Map() };
const listeners = new Set<() => void>();
let recent: [number, number][] = [];

export const currentLive = (): Live => live;

export function subscribeLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: Partial<Live>): void {
  live = { ...live, ...next };
  for (const listener of listeners) listener();
}

/** Follow what the server commits, and ask again for what it changed. */
export function follow(queries: QueryClient): () => void {
  const source = new EventSource(new URL("api/v2/changes", BASE));
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const tick = setInterval(() => become({ perMinute: countRecent() }), 5000);
  const look = () => {
    waiting = undefined;
    void queries.invalidateQueries({ queryKey: ["live"] });
  };
  source.onopen = () => become({ isConnected: true });
  source.onerror = () => become({ isConnected: false });
  source.addEventListener("change", (message: MessageEvent<string>) => {
    const told = JSON.parse(message.data) as Told;
    const now = Date.now();
    recent.push([now, told.events]);
    const touched = new Map(live.touched);
    for (const id of [...told.jobs, ...told.datasets]) touched.set(id, now);
    become({ events: live.events + told.events, perMinute: countRecent(), touched });
    waiting ??= setTimeout(look, BETWEEN_LOOKS);
  });
  return () => {
    source.close();
    clearInterval(tick);
    clearTimeout(waiting);
  };
}

function countRecent(): number {
  const since = Date.now() - MINUTE;
  recent = recent.filter(([at]) => at >= since);
  return recent.reduce((sum, [, events]) => sum + events, 0);
}
