import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "@/api/client";
import { sessionQuery } from "@/api/queries";
import type { Alias } from "@/graph/findings";

/**
 * Makes two names one, or takes that back; what is shown is asked for again after it.
 * `done` is told even where the button that was pressed is gone by then.
 */
export function useAliasing(what: "apply" | "take back", done?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (aliases: readonly Alias[]) => {
      for (const alias of aliases) {
        const body = { ...alias, origin: "user" as const };
        if (what === "apply") await client.PUT("/api/v2/aliases", { body });
        else await client.DELETE("/api/v2/aliases", { body, params: { query: { forget: true } } });
      }
    },
    onSuccess: () => done?.(),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey) }),
  });
}

/** Names of the past are joined too: only who is signed in has nothing to do with it. */
const isAbout = ([topic]: readonly unknown[]): boolean => topic !== sessionQuery.queryKey[0];

/** Whether whoever looks may also decide. */
export function useMayDecide(): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && (!data.required || data.scope === "write");
}
