import type { ReactNode } from "react";

/** Names and values, one below the other; what is not known is left out. */
export function Facts({ facts }: { facts: readonly [string, ReactNode][] }) {
  const known = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false && value !== "",
  );
  return (
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1.5">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-pale">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Chips({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-1">
      {texts.map((one) => (
        <bdi
          key={one}
          className="max-w-full truncate rounded bg-raised px-1.5 py-px text-[12px]"
          title={one}
        >
          {one}
        </bdi>
      ))}
    </span>
  );
}
