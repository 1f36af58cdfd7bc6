import type { ReactNode } from "react";
import { shorten } from "@/graph/shorten";
import { CopyButton } from "./name";
import { LineageLink } from "./node-link";

interface Said {
  id: string;
  name: string;
  namespace: string;
  kind: ReactNode;
  state?: ReactNode;
}

/** What a page is about. */
export function PageHead({ id, name, namespace, kind, state }: Said) {
  return (
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
      <LineageLink id={id}>Lineage</LineageLink>
    </header>
  );
}
