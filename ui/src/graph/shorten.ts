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

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), (one) => one.segment);
}
