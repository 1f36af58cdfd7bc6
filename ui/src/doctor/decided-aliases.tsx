import { useQuery } from "@tanstack/react-query";
import { aliasesQuery } from "@/api/queries";
import { Failed } from "@/components/messages";
import { Name } from "@/components/name";
import { Section } from "@/components/section";
import { type Alias, aliasKey, aliasNames } from "@/graph/findings";
import { useAliasing, useMayDecide } from "./use-aliasing";

/** What people decided about names, each to be taken back. */
export function DecidedAliases() {
  const { data, error, refetch } = useQuery(aliasesQuery);
  if (error) return <Failed what="The aliases" error={error} again={() => void refetch()} />;
  const made = (data?.aliases ?? []).filter((one) => one.origin === "user");
  const decided: [Alias, string][] = [
    ...made.map((one): [Alias, string] => [one as Alias, "is also called"]),
    ...(data?.rejected ?? []).map((one): [Alias, string] => [one as Alias, "is kept apart from"]),
  ];
  return (
    <Section title="Decided by people">
      {decided.length === 0 ? (
        <p className="p-3 text-pale">No alias was applied by hand.</p>
      ) : (
        <ul className="max-h-96 overflow-auto">
          {decided.map(([alias, word]) => (
            <Decided key={aliasKey(alias)} alias={alias} word={word} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Decided({ alias, word }: { alias: Alias; word: string }) {
  const { mutate, isPending, error } = useAliasing("take back");
  const mayDecide = useMayDecide();
  const [chosen, other] = aliasNames(alias);
  return (
    <li className="space-y-1 border-b border-line px-3 py-2 last:border-0">
      <p className="flex min-w-0 flex-col">
        <Name text={chosen} most={70} className="font-medium" />
        <span className="text-[12px] text-pale">{word}</span>
        <Name text={other} most={70} />
      </p>
      {mayDecide && (
        <button
          type="button"
          className="button"
          aria-label={`Take back: ${chosen} ${word} ${other}`}
          disabled={isPending}
          onClick={() => mutate([alias])}
        >
          Take back
        </button>
      )}
      {error && (
        <p role="alert" className="text-bad [overflow-wrap:anywhere]">
          Could not be taken back: {error.message}
        </p>
      )}
    </li>
  );
}
