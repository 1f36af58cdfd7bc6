/** Views that a reader gave a name, kept in this browser. */
export interface SavedView {
  name: string;
  /** The address, without the part that leads to this server's page. */
  address: string;
}

const KEY = "mainstem.views";
const MOST_LETTERS = 200;

/** What is kept, in the order of names; what this page did not write is left out. */
export function readViews(storage: Pick<Storage, "getItem">, base: URL): SavedView[] {
  let kept: unknown;
  try {
    kept = JSON.parse(storage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
  return (Array.isArray(kept) ? kept : [])
    .filter((one): one is SavedView => isView(one, base))
    .sort((a, b) => a.name.localeCompare(b.name));
}

export const writeViews = (storage: Pick<Storage, "setItem">, views: readonly SavedView[]): void =>
  storage.setItem(KEY, JSON.stringify(views));

function isView(one: unknown, base: URL): boolean {
  const { name, address } = (one ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  if (typeof name !== "string" || typeof address !== "string") return false;
  return URL.canParse(address, base) && new URL(address, base).href.startsWith(base.href);
}

/** A view under a name: the one that had the name before is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const name = view.name.trim().slice(0, MOST_LETTERS);
  return name === "" ? [...views] : [...withoutView(views, name), { ...view, name }];
}

export const withoutView = (views: readonly SavedView[], name: string): SavedView[] =>
  views.filter((one) => one.name !== name);

/** A view under another name; not where that name is taken, so that none is lost. */
export function renamedView(
  views: readonly SavedView[],
  before: string,
  after: string,
): SavedView[] {
  const view = views.find((one) => one.name === before);
  const isTaken = views.some((one) => one.name === after.trim());
  return !view || isTaken || after.trim() === ""
    ? [...views]
    : withView(withoutView(views, before), { ...view, name: after });
}
