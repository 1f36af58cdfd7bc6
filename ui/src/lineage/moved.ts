import { useCallback, useMemo, useState } from "react";
import type { Place, Places } from "@/graph/placing";

/** Nodes that a reader dragged, kept in this browser. */
export function useMoved(root: string, flow: string) {
  const key = `mainstem.moved ${flow} ${root}`;
  const [moved, setMoved] = useState<{ key: string; places: Places }>(() => ({
    key,
    places: read(key),
  }));
  const current = useMemo(() => (moved.key === key ? moved.places : read(key)), [moved, key]);
  const move = useCallback(
    (id: string, to: Place) => {
      const places = { ...read(key), [id]: { x: Math.round(to.x), y: Math.round(to.y) } };
      localStorage.setItem(key, JSON.stringify(places));
      setMoved({ key, places });
    },
    [key],
  );
  const reset = useCallback(() => {
    localStorage.removeItem(key);
    setMoved({ key, places: {} });
  }, [key]);
  return { moved: current, move, reset };
}

function read(key: string): Places {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Places) : {};
  } catch {
    return {};
  }
}
