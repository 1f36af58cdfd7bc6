import { Link } from "@tanstack/react-router";
import { GitFork } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { NodeId } from "@/graph/node-id";
import { shorten } from "@/graph/shorten";
import { Age } from "./age";
import { Facets } from "./facets";
import { Chips, Facts } from "./facts";
import { CopyButton } from "./name";
import { Section } from "./section";

interface Said {
  id: string;
  named: NodeId;
  kind: ReactNode;
  state?: ReactNode;
  /** The wide column, and the narrow one beside it. */
  children: ReactNode;
  beside: ReactNode;
}

/** The page of one job or dataset. */
export function NodePage({ id, named: { name, namespace }, kind, state, children, beside }: Said) {
  useTitle(name);
  return (
    <div className="mx-auto max-w-7xl space-y-4 p-4">
      <header className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2">
            {kind}
            {state}
          </div>
          <h1 className="flex items-center gap-1 text-lg font-semibold">
            <bdi title={name} className="min-w-0 break-all">
              {shorten(name, 120)}
            </bdi>
            <CopyButton text={name} label="Copy the whole name" />
          </h1>
          <p className="flex items-center gap-1 text-pale">
            <bdi title={namespace} className="break-all">
              {shorten(namespace, 120)}
            </bdi>
            <CopyButton text={namespace} label="Copy the whole namespace" />
          </p>
        </div>
        <Link to="/lineage" search={{ node: id }} className="button-main">
          <GitFork size={14} aria-hidden className="rotate-90" /> Lineage
        </Link>
      </header>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-4">{children}</div>
        <div className="min-w-0 space-y-4">{beside}</div>
      </div>
    </div>
  );
}

/** The name of a page, as tabs and bookmarks show it. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${shorten(name, 60)} · Mainstem`;
    return () => {
      document.title = "Mainstem";
    };
  }, [name]);
}

interface Described {
  description: string | null;
  owners?: string[] | null;
  tags: string[];
  createdAt: string;
  updatedAt: string;
}

/** What a job and a dataset both tell of themselves, and what only this one does. */
export function About({ of, own }: { of: Described; own: readonly [string, ReactNode][] }) {
  const { owners, tags } = of;
  return (
    <Section title="About">
      <div className="p-3">
        <Facts
          facts={[
            ["Description", of.description],
            ["Owners", owners && owners.length > 0 && <Chips texts={owners} />],
            ["Tags", tags.length > 0 && <Chips texts={tags} />],
            ...own,
            ["First seen", <Age key="first" at={of.createdAt} />],
            ["Last seen", <Age key="last" at={of.updatedAt} />],
          ]}
        />
      </div>
    </Section>
  );
}

export function FacetsSection({
  title,
  facets,
}: {
  title: string;
  facets: Record<string, unknown>;
}) {
  return (
    <Section title={title}>
      <Facets facets={facets} />
    </Section>
  );
}
