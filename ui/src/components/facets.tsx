import { redact } from "@/text/redact";

/** Facets, folded, with what looks like a secret taken out. */
export function Facets({ facets }: { facets: Record<string, unknown> }) {
  const names = Object.keys(facets).sort();
  if (names.length === 0) return <p className="p-3 text-pale">No facets were told.</p>;
  return (
    <ul>
      {names.map((name) => (
        <li key={name} className="border-b border-line last:border-0">
          <details>
            <summary className="cursor-pointer px-3 py-1.5 font-medium break-all hover:bg-raised">
              {name}
            </summary>
            <pre
              tabIndex={0}
              className="max-h-96 overflow-auto bg-raised px-3 py-2 font-mono text-[12px]"
            >
              {redact(JSON.stringify(facets[name], null, 2) ?? "")}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
