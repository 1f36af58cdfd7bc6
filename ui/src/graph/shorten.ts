const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A text that is too long, with its middle left out: both ends of a name tell most. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  // Enough of both ends, whatever one character is made of.
  const head = graphemes(text.slice(0, most * 8));
  const tail = graphemes(text.slice(-most * 8));
  if (text.length <= most * 8 && head.length <= most) return text;
  const first = Math.ceil((most - 1) / 2);
  return `${head.slice(0, first).join("")}…${tail.slice(tail.length - (most - 1 - first)).join("")}`;
}

const WIDE = /[\p{Lu}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** How many characters of a text fit where so many small letters do: capitals take more room. */
export function roomFor(text: string, most: number): number {
  const wide = (text.match(WIDE)?.length ?? 0) / Math.max(1, text.length);
  return Math.floor(most / (1 + 0.35 * wide));
}

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), (one) => one.segment);
}
