import { DEEPEST } from "./view";

export interface Selector {
  /** What is looked for. */
  word: string;
  /** Hops, where they were said. */
  up?: number;
  down?: number;
}

/** `2+orders+`: a name with hops before and after it, as dbt writes them; a bare + means all. */
export function readSelector(typed: string): Selector {
  const [, before, word = "", after] = /^(?:(\d*)\+)?(.*?)(?:\+(\d*))?$/s.exec(typed.trim()) ?? [];
  if (word === "" || (before === undefined && after === undefined)) return { word: typed.trim() };
  return { word, up: hops(before), down: hops(after) };
}

const hops = (said: string | undefined): number =>
  said === undefined ? 0 : said === "" ? DEEPEST : Math.min(Number(said), DEEPEST);
