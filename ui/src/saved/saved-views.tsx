import { Dialog } from "@base-ui/react/dialog";
import { useRouter } from "@tanstack/react-router";
import { Bookmark, Pencil, Trash2, X } from "lucide-react";
import { type FormEvent, type MouseEvent, useState } from "react";
import { BASE } from "@/api/client";
import { Name } from "@/components/name";
import { readViews, renamedView, type SavedView, withoutView, withView, writeViews } from "./saved";

const ICON = "rounded p-1 text-pale hover:bg-raised hover:text-ink";

/** Views by name: the address holds a whole view, so a name for it is all there is to keep. */
export function SavedViews() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="button w-8 shrink-0 justify-center px-0" aria-label="Saved views">
        <Bookmark size={15} aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="card fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(32rem,92vw)] -translate-x-1/2 flex-col overflow-hidden shadow-2xl">
          <header className="flex items-center justify-between border-b border-line px-4 py-2.5">
            <Dialog.Title className="text-[15px] font-semibold">Saved views</Dialog.Title>
            <Dialog.Close className={ICON} aria-label="Close">
              <X size={15} aria-hidden />
            </Dialog.Close>
          </header>
          <Views close={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Views({ close }: { close: () => void }) {
  const [views, setViews] = useState(() => readViews(localStorage, BASE));
  const become = (next: (now: readonly SavedView[]) => SavedView[]) => {
    // Another tab may have saved one since.
    writeViews(localStorage, next(readViews(localStorage, BASE)));
    setViews(readViews(localStorage, BASE));
  };
  return (
    <>
      <SaveForm save={(view) => become((now) => withView(now, view))} />
      {views.length === 0 ? (
        <p className="px-4 py-3 text-pale">None yet. They are kept in this browser alone.</p>
      ) : (
        <ul aria-label="Saved views" className="min-h-0 overflow-auto py-1">
          {views.map((view) => (
            <Row
              key={view.name}
              view={view}
              close={close}
              rename={(name) => become((now) => renamedView(now, view.name, name))}
              remove={() => become((now) => withoutView(now, view.name))}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function SaveForm({ save }: { save: (view: SavedView) => void }) {
  const [name, setName] = useState(() => document.title.replace(/ · Mainstem$/, ""));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ name, address: location.href.slice(BASE.href.length) });
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-b border-line px-4 py-3">
      <label className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="heading">Name of this view</span>
        <input
          className="field"
          value={name}
          maxLength={200}
          required
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <button type="submit" className="button-main">
        Save
      </button>
    </form>
  );
}

interface RowSaid {
  view: SavedView;
  close: () => void;
  rename: (name: string) => void;
  remove: () => void;
}

function Row({ view, close, rename, remove }: RowSaid) {
  const router = useRouter();
  const [typed, setTyped] = useState<string>();
  const url = new URL(view.address, BASE);
  const go = (event: MouseEvent) => {
    close();
    // Another tab or window is the browser's business.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.push(url.href.slice(url.origin.length));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== undefined) rename(typed);
    setTyped(undefined);
  };
  if (typed !== undefined) {
    return (
      <li>
        <form onSubmit={submit} className="flex gap-2 px-4 py-1">
          <input
            ref={(field) => field?.focus()}
            aria-label={`New name of ${view.name}`}
            className="field min-w-0 flex-1"
            value={typed}
            maxLength={200}
            onChange={(event) => setTyped(event.target.value)}
          />
          <button type="submit" className="button">
            Rename
          </button>
        </form>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-1 px-4 py-1">
      <a href={url.href} onClick={go} className="link flex min-w-0 flex-1">
        <Name text={view.name} most={60} />
      </a>
      <button
        type="button"
        className={ICON}
        aria-label={`Rename ${view.name}`}
        onClick={() => setTyped(view.name)}
      >
        <Pencil size={14} aria-hidden />
      </button>
      <button type="button" className={ICON} aria-label={`Delete ${view.name}`} onClick={remove}>
        <Trash2 size={14} aria-hidden />
      </button>
    </li>
  );
}
