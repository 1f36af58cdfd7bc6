import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { BASE, client, dataOf } from "@/api/client";
import { sessionQuery } from "@/api/queries";
import type { components } from "@/api/schema";

type Session = components["schemas"]["Session"];

export function SignIn({ session }: { session: Session }) {
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const signIn = useMutation({
    mutationFn: () => dataOf(client.POST("/api/v2/session", { body: { token } })),
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const wrong = signIn.error?.message ?? session.refused;
  return (
    <div className="flex justify-center p-10">
      <form onSubmit={submit} className="card w-96 space-y-3 p-6">
        <h1 className="text-lg font-semibold">Sign in</h1>
        {wrong && (
          <p
            role="alert"
            className="rounded bg-bad-ground px-2 py-1 break-words text-bad first-letter:uppercase"
          >
            {wrong}
          </p>
        )}
        {session.oidc && (
          <a
            href={beginning(session.oidc.url)}
            className="flex h-9 w-full items-center justify-center rounded-md bg-accent px-3 font-medium text-on-accent"
          >
            <span className="truncate">Sign in with {session.oidc.host}</span>
          </a>
        )}
        <p className="text-pale">
          {session.oidc
            ? "Or with a token. Whoever runs this server makes one with"
            : "This server asks for a token. Whoever runs it makes one with"}
          <code className="mt-1 block rounded bg-raised px-2 py-1 font-mono text-[12px] text-ink">
            mainstem token create NAME --scope read
          </code>
        </p>
        <label className="block">
          <span className="mb-1 block font-medium">Token</span>
          <input
            type="password"
            autoComplete="current-password"
            className="field w-full"
            value={token}
            onChange={(event) => setToken(event.target.value)}
            required
          />
        </label>
        <button
          type="submit"
          disabled={signIn.isPending}
          className={
            session.oidc
              ? "button h-9 w-full justify-center"
              : "h-9 w-full rounded-md bg-accent font-medium text-on-accent"
          }
        >
          Sign in
        </button>
      </form>
    </div>
  );
}

/** Where signing in begins; afterwards the reader is back at this address. */
function beginning(url: string): string {
  const begin = new URL(url);
  begin.searchParams.set("to", location.href.slice(BASE.href.length));
  return begin.href;
}
