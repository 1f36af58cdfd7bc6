import { useEffect, useRef, useState } from "react";
import type { Finding } from "@/graph/findings";
import { FindingCard } from "./finding-card";

/** Findings shown at once; there may be thousands. */
const FEW = 50;

/** Findings one below the other; of one that is healed stays a word, which the focus goes to. */
export function FindingsList({ findings }: { findings: readonly Finding[] }) {
  const [shown, setShown] = useState(FEW);
  const [healed, setHealed] = useState<string>();
  const word = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (healed !== undefined) word.current?.focus();
  }, [healed]);
  return (
    <div className="space-y-3">
      <p
        ref={word}
        role="status"
        tabIndex={-1}
        className="text-good [overflow-wrap:anywhere] empty:hidden"
      >
        {healed === undefined ? "" : `Applied: ${healed}`}
      </p>
      {findings.slice(0, shown).map((one) => (
        <FindingCard key={one.id} finding={one} healed={({ title }) => setHealed(title)} />
      ))}
      {findings.length > shown && (
        <button type="button" className="button" onClick={() => setShown(shown + FEW)}>
          Show more of {findings.length.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}
