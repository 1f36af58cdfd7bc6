import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client, dataOf } from "@/api/client";
import { sessionQuery } from "@/api/queries";

export function SignIn() {
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
  return (
    <div className="flex justify-center p-10">
      <form onSubmit={submit} className="card w-96 space-y-3 p-6">
        <h1 className="text-lg font-semibold">Sign in</h1>
        <p className="text-pale">
          This server asks for a token. Whoever runs it makes one with{" "}
          <code className="font-mono text-[12px] text-ink">
            mainstem token create NAME --scope read
          </code>
          .
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
        {signIn.error && (
          <p role="alert" className="rounded bg-bad-ground px-2 py-1 text-bad">
            {signIn.error.message}
          </p>
        )}
        <button
          type="submit"
          disabled={signIn.isPending}
          className="h-9 w-full rounded-md bg-accent font-medium text-on-accent"
        >
          Sign in
        </button>
      </form>
    </div>
  );
}
