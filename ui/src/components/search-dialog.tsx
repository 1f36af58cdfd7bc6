import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import { searchQuery } from "@/api/queries";
import type { components } from "@/api/schema";
import { fieldId } from "@/graph/node-id";
import { readSelector } from "@/graph/selector";
import { stateOf } from "@/graph/state";
import { Kind } from "./kind-icon";
import { Name } from "./name";
import { StateBadge } from "./state-badge";

type Hit = components["schemas"]["SearchHit"];

export function SearchDialog() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const inField =
        event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
      if (
        (event.key === "k" && (event.ctrlKey || event.metaKey)) ||
        (event.key === "/" && !inField)
      ) {
        event.preventDefault();
        setOpen(true);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="button w-72 justify-between text-pale max-md:w-auto">
        <span className="flex items-center gap-2">
          <Search size={14} aria-hidden /> <span className="max-sm:sr-only">Search</span>
        </span>
        <kbd className="max-sm:hidden rounded border border-line px-1 font-sans text-[11px]">
          Ctrl K
        </kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="card fixed top-[12vh] left-1/2 z-50 w-[min(42rem,92vw)] -translate-x-1/2 overflow-hidden shadow-2xl">
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Finder close={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const { word, ...hops } = readSelector(useDeferredValue(typed));
  const found = useQuery({
    ...searchQuery({ q: word, limit: 30 }),
    placeholderData: (before) => before,
  });
  const hits = word === "" ? [] : (found.data?.hits ?? []);
  const choose = (hit: Hit) => {
    close();
    const column = hit.matched === "column" ? fieldId(hit.id, hit.value) : undefined;
    const search = { node: hit.id, ...hops, ...(column ? { column } : {}) };
    void navigate({ to: "/lineage", search });
  };
  const seeAll = () => {
    close();
    void navigate({ to: "/search", search: { q: word } });
  };
  return (
    <Autocomplete.Root
      items={hits}
      inline
      open
      mode="none"
      autoHighlight="always"
      value={typed}
      onValueChange={(value) => setTyped(value)}
      itemToStringValue={(hit: Hit) => hit.name}
    >
      <Autocomplete.Input
        aria-label="Search jobs, datasets and columns"
        placeholder="Jobs, datasets, columns, tags, owners…"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-[15px] outline-none"
      />
      <Autocomplete.List aria-label="Found" className="max-h-[50vh] overflow-auto p-1">
        {(hit: Hit) => (
          <Autocomplete.Item
            key={hit.id}
            value={hit}
            onClick={() => choose(hit)}
            className="flex cursor-pointer items-center gap-3 rounded px-3 py-1.5 data-[highlighted]:bg-raised"
          >
            <span className="w-24 shrink-0">
              <Kind node={hit} />
            </span>
            <span className="flex min-w-0 flex-1 flex-col">
              <Name text={hit.name} most={56} className="font-medium" />
              <span className="flex gap-2 text-[12px] text-pale">
                <Name text={hit.namespace} most={48} />
                {hit.matched !== "name" && hit.matched !== "namespace" && (
                  <span className="text-accent">
                    {hit.matched} <bdi>{hit.value.slice(0, 40)}</bdi>
                  </span>
                )}
              </span>
            </span>
            <StateBadge state={stateOf(hit)} />
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
      <div
        role="status"
        className="flex justify-between border-t border-line px-4 py-2 text-[12px] text-pale"
      >
        <span>{statusOf(word, found.isFetching, found.data?.total)}</span>
        {hits.length > 0 && (
          <button type="button" className="link" onClick={seeAll}>
            See all with filters
          </button>
        )}
      </div>
    </Autocomplete.Root>
  );
}

function statusOf(word: string, isFetching: boolean, total: number | undefined): string {
  if (word === "")
    return "Type a part of a name; 2+name+ opens it with 2 hops before and all after.";
  if (total === undefined || isFetching) return "Searching…";
  return total === 0 ? "Nothing is called so." : `${total.toLocaleString()} found`;
}
