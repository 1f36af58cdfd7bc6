import { shorten } from "@/graph/shorten";

interface Said {
  label: string;
  value: string | undefined;
  options: readonly string[];
  onChange: (value: string | undefined) => void;
  any?: string;
}

/** One of some values, or any; the browser's own, which every reader and keyboard knows. */
export function Select({ label, value, options, onChange, any = "any" }: Said) {
  const listed = value !== undefined && !options.includes(value) ? [value, ...options] : options;
  return (
    <label className="flex flex-col gap-0.5">
      <span className="heading">{label}</span>
      <select
        className="field max-w-52"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">{any}</option>
        {listed.map((one) => (
          <option key={one} value={one}>
            {shorten(one, 48)}
          </option>
        ))}
      </select>
    </label>
  );
}
