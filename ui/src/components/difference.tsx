import { type ChangeObject, diffLines } from "diff";

const LOOKS = {
  added: ["+", "bg-good-ground text-good", "added"],
  removed: ["−", "bg-bad-ground text-bad", "removed"],
  same: [" ", "text-pale", ""],
} as const;
/** Lines that did not change are shown so far around those that did. */
const AROUND = 3;

/** Two texts, line by line: what came and what went; what stayed is folded. */
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
  const parts = diffLines(before, after);
  return (
    <figure aria-label={label}>
      <div
        tabIndex={0}
        className="max-h-[28rem] overflow-auto py-1 font-mono text-[12px] whitespace-pre"
      >
        {parts.map((part, at) => (
          <Part
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
            key={at}
            part={part}
            isFirst={at === 0}
            isLast={at === parts.length - 1}
          />
        ))}
      </div>
    </figure>
  );
}

interface Said {
  part: ChangeObject<string>;
  isFirst: boolean;
  isLast: boolean;
}

function Part({ part, isFirst, isLast }: Said) {
  const lines = part.value.replace(/\n$/, "").split("\n");
  if (part.added || part.removed)
    return <Lines lines={lines} as={part.added ? "added" : "removed"} />;
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? lines.length : lines.length - AROUND;
  if (tail - head < 2) return <Lines lines={lines} as="same" />;
  return (
    <>
      <Lines lines={lines.slice(0, head)} as="same" />
      <details>
        <summary className="cursor-pointer bg-raised px-3 font-sans text-pale hover:text-ink">
          {tail - head} lines did not change
        </summary>
        <Lines lines={lines.slice(head, tail)} as="same" />
      </details>
      <Lines lines={lines.slice(tail)} as="same" />
    </>
  );
}

export function Lines({ lines, as }: { lines: readonly string[]; as: keyof typeof LOOKS }) {
  const [mark, look, word] = LOOKS[as];
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
    <div key={row} className={`px-3 ${look}`}>
      <span aria-hidden>{mark} </span>
      {word && <span className="sr-only">{word}: </span>}
      {line}
    </div>
  ));
}
