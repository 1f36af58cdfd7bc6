import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client";
import { sessionQuery } from "./queries";

const NOT_SIGNED_IN = 401;
const MOST_TRIES = 2;

function askForToken(error: Error): void {
  if (error instanceof ApiError && error.status === NOT_SIGNED_IN) {
    queries.setQueryData(sessionQuery.queryKey, (known) =>
      known ? { ...known, required: true, scope: null } : known,
    );
  }
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: askForToken }),
  mutationCache: new MutationCache({ onError: askForToken }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A server on this machine answers without a network too.
      networkMode: "always",
      // What the server refused it will refuse again.
      retry: (count, error) => !(error instanceof ApiError) && count < MOST_TRIES,
    },
  },
});
