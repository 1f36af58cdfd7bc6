import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Age } from "./age";
import { Difference, Lines } from "./difference";
import { Failed, Loading } from "./messages";
import { Section } from "./section";
import { Select } from "./select";

export interface Version {
  id: string;
  since: string;
  /** The version as text, to be compared line by line. */
  text: string;
}

interface Said {
  title: string;
  what: string;
  from: "/job" | "/dataset";
  asked: UseQueryResult;
  versions: readonly Version[];
}

/** Versions, the newest first, and how two of them differ; the address says which two. */
export function VersionsSection({ title, what, from, asked, versions }: Said) {
  return (
    <Section
      title={title}
      beside={<span className="text-pale">{versions.length.toLocaleString()}</span>}
    >
      {asked.isPending ? (
        <Loading what="the versions" />
      ) : asked.error ? (
        <Failed what="The versions" error={asked.error} again={() => void asked.refetch()} />
      ) : (
        <Versions versions={versions} what={what} from={from} />
      )}
    </Section>
  );
}

function Versions({ versions, what, from }: Pick<Said, "versions" | "what" | "from">) {
  const { node, before, after } = useSearch({ from });
  const navigate = useNavigate({ from });
  const newer = versions.find((one) => one.id === after) ?? versions[0];
  const older = versions.find((one) => one.id === before) ?? versions[1];
  if (!newer) return <p className="p-3 text-pale">No version was told.</p>;
  const words = new Map(versions.map((one) => [one.id, one.id.slice(0, 8)]));
  const choose = (chosen: { before?: string | undefined; after?: string | undefined }) => {
    const told = Object.fromEntries(Object.entries(chosen).filter(([, id]) => id !== undefined));
    void navigate({ replace: true, search: { node, ...told } });
  };
  return (
    <div>
      <ol className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-3 py-2">
        {versions.slice(0, 8).map((one) => (
          <li key={one.id}>
            <code className="font-mono text-[12px]">{words.get(one.id)}</code>{" "}
            <span className="text-pale">
              <Age at={one.since} />
            </span>
          </li>
        ))}
        {versions.length > 8 && <li className="text-pale">and {versions.length - 8} more</li>}
      </ol>
      {older ? (
        <>
          <div className="flex gap-3 border-b border-line px-3 py-2">
            <Select
              label="From"
              value={older.id}
              options={words}
              any="the one before"
              onChange={(id) => choose({ before: id, after })}
            />
            <Select
              label="To"
              value={newer.id}
              options={words}
              any="the newest"
              onChange={(id) => choose({ before, after: id })}
            />
          </div>
          <Difference before={older.text} after={newer.text} label={`Difference of ${what}`} />
        </>
      ) : (
        <figure aria-label={`The only version of ${what}`}>
          <div
            tabIndex={0}
            className="max-h-[28rem] overflow-auto py-1 font-mono text-[12px] whitespace-pre"
          >
            <Lines lines={newer.text.split("\n")} as="same" />
          </div>
        </figure>
      )}
    </div>
  );
}
