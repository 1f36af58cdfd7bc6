import { diffLines } from "diff";

const LOOKS = {
  added: ["+", "bg-good-ground text-good", "added"],
  removed: ["−", "bg-bad-ground text-bad", "removed"],
  same: [" ", "text-pale", ""],
} as const;

/** Two texts, line by line: what came and what went. */
export function Difference({
  before,
  after,
  label,
}: {
  before: string;
  after: string;
  label: string;
}) {
  if (before === after) return <p className="p-3 text-pale">No difference.</p>;
  return (
    <figure aria-label={label}>
      <pre tabIndex={0} className="max-h-[28rem] overflow-auto font-mono text-[12px]">
        {diffLines(before, after).map((part, at) => {
          const [mark, look, word] =
            LOOKS[part.added ? "added" : part.removed ? "removed" : "same"];
          const lines = part.value.replace(/\n$/, "").split("\n");
          return lines.map((line, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <div key={`${at}.${row}`} className={`px-3 ${look}`}>
              <span aria-hidden>{mark} </span>
              {word && <span className="sr-only">{word}: </span>}
              {line}
            </div>
          ));
        })}
      </pre>
    </figure>
  );
}
