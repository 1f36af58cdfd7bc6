import { Age } from "./age";
import { Difference } from "./difference";
import { Select } from "./select";

export interface Version {
  id: string;
  since: string;
  /** The version as text, to be compared line by line. */
  text: string;
}

interface Said {
  versions: readonly Version[];
  before: string | undefined;
  after: string | undefined;
  choose: (chosen: { before?: string | undefined; after?: string | undefined }) => void;
  what: string;
}

/** Versions, the newest first, and how two of them differ. */
export function Versions({ versions, before, after, choose, what }: Said) {
  if (versions.length === 0) return <p className="p-3 text-pale">No version was told.</p>;
  const ids = versions.map((one) => one.id);
  const newer = versions.find((one) => one.id === after) ?? versions[0];
  const older = versions.find((one) => one.id === before) ?? versions[1];
  return (
    <div>
      <ol className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-3 py-2">
        {versions.slice(0, 8).map((one) => (
          <li key={one.id}>
            <code className="font-mono text-[12px]">{one.id.slice(0, 8)}</code>{" "}
            <span className="text-pale">
              <Age at={one.since} />
            </span>
          </li>
        ))}
        {versions.length > 8 && <li className="text-pale">and {versions.length - 8} more</li>}
      </ol>
      {older && newer ? (
        <>
          <div className="flex gap-3 border-b border-line px-3 py-2">
            <Select
              label="From"
              value={older.id}
              options={ids}
              any="the one before"
              onChange={(id) => choose({ before: id, after })}
            />
            <Select
              label="To"
              value={newer.id}
              options={ids}
              any="the newest"
              onChange={(id) => choose({ before, after: id })}
            />
          </div>
          <Difference before={older.text} after={newer.text} label={`Difference of ${what}`} />
        </>
      ) : (
        <p className="p-3 text-pale">There is only one version.</p>
      )}
    </div>
  );
}
