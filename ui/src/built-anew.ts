const KEY = "mainstem.reloaded";
const AGAIN = 10_000;

/** A page that was opened before the server was updated asks for parts that are gone: it reloads. */
export function reloadWhenBuiltAnew(): void {
  addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    // Where that has just been tried it is not the cause, and what is wrong must be seen.
    if (Date.now() - last < AGAIN) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
