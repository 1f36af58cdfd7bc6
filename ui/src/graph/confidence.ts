import type { ApiEdge } from "./types";

/** How sure an edge is: the server's words, and one for what the page puts together itself. */
export type Confidence = ApiEdge["confidence"] | typeof POSSIBLE;

/** Said of an edge through a job that does not tell which of its inputs becomes which output. */
export const POSSIBLE = "possible";

const SUREST_FIRST: readonly Confidence[] = ["certain", "declared", "likely", "unknown", POSSIBLE];

export const isLessSure = (one: Confidence, other: Confidence): boolean =>
  SUREST_FIRST.indexOf(one) > SUREST_FIRST.indexOf(other);

/** A way is as sure as its least sure part. */
export const leastSure = (one: Confidence, other: Confidence): Confidence =>
  isLessSure(one, other) ? one : other;

/** How an edge is known and how sure that is; a word that says both is said once. */
export function knownWords(edge: { evidence: string; confidence?: Confidence }): string {
  const { evidence, confidence } = edge;
  return confidence === undefined || confidence === evidence
    ? evidence
    : `${confidence}: ${evidence}`;
}
