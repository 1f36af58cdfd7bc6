import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { client } from "@/api/client";
import { currentLive, follow, subscribeLive } from "@/api/live";
import { sessionQuery } from "@/api/queries";
import { Empty, Failed, Loading } from "@/components/messages";
import { SearchDialog } from "@/components/search-dialog";
import { ThemeMenu } from "@/components/theme";
import { SavedViews } from "@/saved/saved-views";
import { SignIn } from "./sign-in";

const TAB =
  "rounded-md px-2.5 py-1 text-pale hover:text-ink [&.active]:bg-raised [&.active]:text-ink";

export function Shell() {
  const session = useQuery(sessionQuery);
  const mayRead = session.data ? !session.data.required || session.data.scope !== null : false;
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 max-sm:gap-1.5 max-sm:px-3">
        <Link to="/" className="flex shrink-0 items-center gap-2 text-[15px] font-semibold">
          <img src="./icon.svg" alt="" width={22} height={22} className="shrink-0" />
          <span className="max-sm:sr-only">Mainstem</span>
        </Link>
        <nav aria-label="Main" className="flex gap-1">
          <Link to="/" className={TAB} activeOptions={{ exact: true }}>
            Home
          </Link>
          <Link to="/search" className={TAB} search={{}} activeOptions={{ includeSearch: false }}>
            Browse
          </Link>
          <Link to="/doctor" className={TAB} search={{}} activeOptions={{ includeSearch: false }}>
            Doctor
          </Link>
        </nav>
        <div className="flex-1" />
        {mayRead && (
          <>
            <SearchDialog />
            <LiveBadge />
            <SavedViews />
          </>
        )}
        <ThemeMenu />
        {session.data?.required && mayRead && <SignOut />}
      </header>
      <main id="content" className="min-h-0 flex-1 overflow-auto">
        {session.isPending && <Loading what="the page" />}
        {session.error && (
          <Failed what="The server" error={session.error} again={() => session.refetch()} />
        )}
        {session.data && (mayRead ? <Outlet /> : <SignIn session={session.data} />)}
      </main>
    </div>
  );
}

function LiveBadge() {
  const queries = useQueryClient();
  useEffect(() => follow(queries), [queries]);
  const live = useSyncExternalStore(subscribeLive, currentLive);
  const words = live.isConnected
    ? `Live · ${live.perMinute.toLocaleString()} events/min`
    : "Not connected";
  return (
    <span
      role="status"
      aria-label="Live updates"
      className="flex items-center gap-1.5 text-[12px] whitespace-nowrap text-pale max-sm:hidden"
    >
      <span
        aria-hidden
        className={`size-2 rounded-full ${live.isConnected ? "bg-good" : "bg-bad"}`}
      />
      {words}
    </span>
  );
}

function SignOut() {
  const queries = useQueryClient();
  const leave = async () => {
    await client.DELETE("/api/v2/session");
    queries.clear();
    location.reload();
  };
  return (
    <button type="button" className="button" onClick={() => void leave()}>
      <LogOut size={14} aria-hidden /> Sign out
    </button>
  );
}

export function NotFound() {
  return (
    <Empty title="There is no such page.">
      <Link to="/" className="link">
        Go home
      </Link>
    </Empty>
  );
}
