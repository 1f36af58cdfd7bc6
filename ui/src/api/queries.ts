import { queryOptions } from "@tanstack/react-query";
import { hopsAsked, type Walk } from "@/graph/requests";
import type { View } from "@/graph/view";
import { ask, client, dataOf } from "./client";
import type { Dataset, DatasetVersion, Job, JobVersion, Run } from "./marquez";

/** So many nodes one answer holds; beyond that the page rolls up and says so. */
const MOST = 6000;
/** A run becomes stale without any event, so what shows states is asked for again. */
const LOOK_AGAIN = 20_000;

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v2/session", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const summaryQuery = queryOptions({
  queryKey: ["live", "summary"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v2/summary", { signal })),
  refetchInterval: LOOK_AGAIN,
});

export const newsQuery = queryOptions({
  queryKey: ["live", "news"],
  queryFn: ({ signal }) =>
    dataOf(client.GET("/api/v2/news", { params: { query: { hours: 24 } }, signal })),
  refetchInterval: LOOK_AGAIN,
});

/** Not asked for at every change: to judge a large estate takes the server seconds. */
export const findingsQuery = queryOptions({
  queryKey: ["decided", "findings"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v2/findings", { signal })),
  staleTime: LOOK_AGAIN,
  refetchInterval: 3 * LOOK_AGAIN,
});

export const aliasesQuery = queryOptions({
  queryKey: ["decided", "aliases"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v2/aliases", { signal })),
});

export const walkQuery = (walk: Walk) =>
  queryOptions({
    queryKey: [walk.asOf ? "past" : "live", "lineage", walk],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v2/lineage", { params: { query: { ...walk, most: MOST } }, signal })),
    ...(walk.asOf ? { staleTime: Number.POSITIVE_INFINITY } : { refetchInterval: LOOK_AGAIN }),
  });

/** The node id that a node goes by, whichever of its names is asked for. */
export const nameQuery = (node: string) =>
  queryOptions({
    queryKey: ["live", "name", node],
    // Not remembered: an alias that was taken back would still lead elsewhere.
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const query = { node, depth: 0 };
      return (await dataOf(client.GET("/api/v2/lineage", { params: { query }, signal }))).root;
    },
  });

/** `farthest`: hops that are asked for at least, each side. */
export const differenceQuery = (view: View & { before: string }, farthest: number) => {
  const hops = hopsAsked(view, view.node, Math.max(view.up, view.down));
  const depth = Math.max(hops, farthest);
  const direction = view.up === 0 ? "downstream" : view.down === 0 ? "upstream" : "both";
  const { node, before, after } = view;
  const query = {
    node,
    before,
    depth,
    direction,
    ...(after ? { after } : {}),
    ...(view.hideJobs ? { pairs: true } : {}),
  } as const;
  return queryOptions({
    queryKey: ["past", "difference", query],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v2/lineage/diff", { params: { query }, signal })),
  });
};

export const columnDifferenceQuery = (node: string, before: string, after?: string) => {
  const query = { node, before, ...(after ? { after } : {}) };
  return queryOptions({
    queryKey: ["past", "column-difference", query],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v2/columns/diff", { params: { query }, signal })),
  });
};

export const columnsQuery = (node: string, asOf?: string) =>
  queryOptions({
    queryKey: [asOf ? "past" : "live", "columns", node, asOf],
    queryFn: ({ signal }) => {
      const query = { node, ...(asOf ? { asOf } : {}) };
      return dataOf(client.GET("/api/v2/columns", { params: { query }, signal }));
    },
  });

export const impactQuery = (node: string) =>
  queryOptions({
    queryKey: ["live", "impact", node],
    queryFn: ({ signal }) =>
      dataOf(client.GET("/api/v2/impact", { params: { query: { node, most: MOST } }, signal })),
  });

export interface SearchFor {
  q: string;
  type?: "JOB" | "DATASET" | undefined;
  namespace?: string | undefined;
  limit?: number;
}

export const searchQuery = ({ q, type, namespace, limit = 20 }: SearchFor) =>
  queryOptions({
    queryKey: ["live", "search", q, type, namespace, limit],
    queryFn: ({ signal }) => {
      const query = { q, limit, ...(type ? { type } : {}), ...(namespace ? { namespace } : {}) };
      return dataOf(client.GET("/api/v2/search", { params: { query }, signal }));
    },
    enabled: q !== "",
  });

export const datasetQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ["live", "dataset", namespace, name],
    queryFn: () => ask<Dataset>(["namespaces", namespace, "datasets", name]),
  });

export const datasetVersionsQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ["live", "dataset-versions", namespace, name],
    queryFn: () =>
      ask<{ versions: DatasetVersion[]; totalCount: number }>(
        ["namespaces", namespace, "datasets", name, "versions"],
        { limit: "50" },
      ),
  });

export const jobQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ["live", "job", namespace, name],
    queryFn: () => ask<Job>(["namespaces", namespace, "jobs", name]),
    refetchInterval: LOOK_AGAIN,
  });

export const runsQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ["live", "runs", namespace, name],
    queryFn: () =>
      ask<{ runs: Run[]; totalCount: number }>(["namespaces", namespace, "jobs", name, "runs"], {
        limit: "60",
      }),
    refetchInterval: LOOK_AGAIN,
  });

export const namespacesQuery = queryOptions({
  queryKey: ["live", "namespaces"],
  queryFn: () => ask<{ namespaces: { name: string }[] }>(["namespaces"], { limit: "500" }),
});

export const platformsQuery = queryOptions({
  queryKey: ["live", "platforms"],
  queryFn: ({ signal }) => dataOf(client.GET("/api/v2/platforms", { signal })),
});

export const tagsQuery = queryOptions({
  queryKey: ["live", "tags"],
  queryFn: () => ask<{ tags: { name: string }[] }>(["tags"]),
});

export interface NodeFilter {
  q?: string | undefined;
  type?: "JOB" | "DATASET" | undefined;
  namespace?: string | undefined;
  platform?: string | undefined;
  cluster?: string | undefined;
  kind?: string | undefined;
  state?: string | undefined;
  tag?: string | undefined;
  offset?: number;
}

export const PAGE_SIZE = 50;

export const nodesQuery = ({ offset = 0, ...filter }: NodeFilter) => {
  const said = Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined),
  );
  const query = { ...said, limit: PAGE_SIZE, offset };
  return queryOptions({
    queryKey: ["live", "nodes", query],
    queryFn: ({ signal }) => dataOf(client.GET("/api/v2/nodes", { params: { query }, signal })),
  });
};

export const jobVersionsQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ["live", "job-versions", namespace, name],
    queryFn: () =>
      ask<{ versions: JobVersion[]; totalCount: number }>(
        ["namespaces", namespace, "jobs", name, "versions"],
        { limit: "50" },
      ),
  });
