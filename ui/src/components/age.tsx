import { useSyncExternalStore } from "react";
import { ago, fullTime } from "@/text/time";

const TICK = 5000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, TICK);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time, as all ages on the page see it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

export function Age({ at, never = "never" }: { at: string | null | undefined; never?: string }) {
  const current = useNow();
  if (!at) return <span className="text-pale">{never}</span>;
  return (
    <time dateTime={at} title={fullTime(at)} className="whitespace-nowrap">
      {ago(at, Math.max(current, Date.now() - TICK))}
    </time>
  );
}
