import type { QueryClient } from "@tanstack/react-query";
import { BASE } from "./client";

export interface Live {
  isConnected: boolean;
  /** Events that arrived in the last minute. */
  perMinute: number;
}

const MINUTE = 60_000;
/** However many events come, the page asks again at most this often. */
const BETWEEN_LOOKS = 1000;

let live: Live = { isConnected: false, perMinute: 0 };
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
    const { events } = JSON.parse(message.data) as { events: number };
    recent.push([Date.now(), events]);
    become({ perMinute: countRecent() });
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
