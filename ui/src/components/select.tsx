import { shorten } from "@/graph/shorten";

interface Said {
  label: string;
  value: string | undefined;
  /** Values, or values with the words that are shown for them. */
  options: readonly string[] | ReadonlyMap<string, string>;
  onChange: (value: string | undefined) => void;
  any?: string;
  /** For a place that says by itself what is chosen: the label is for screen readers alone. */
  isBare?: boolean;
}

/** One of some values, or any; the browser's own, which every reader and keyboard knows. */
export function Select({ label, value, options, onChange, any = "any", isBare = false }: Said) {
  const words = new Map(
    options instanceof Map ? options : (options as readonly string[]).map((one) => [one, one]),
  );
  if (value !== undefined && !words.has(value)) words.set(value, value);
  return (
    <label className="flex min-w-0 flex-col gap-0.5">
      <span className={isBare ? "sr-only" : "heading"}>{label}</span>
      <select
        className="field min-w-0"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">{any}</option>
        {[...words].map(([one, word]) => (
          <option key={one} value={one}>
            {shorten(word, 48)}
          </option>
        ))}
      </select>
    </label>
  );
}
