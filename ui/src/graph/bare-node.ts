import type { ApiNode } from "./types";

/** A node of which only its name is known. */
export const bareNode = (
  said: Pick<ApiNode, "id" | "type" | "kind" | "namespace" | "name">,
): ApiNode => ({
  platform: null,
  cluster: null,
  ...said,
  distance: 0,
  upstream: 0,
  downstream: 0,
  updatedAt: null,
  description: null,
  owners: [],
  tags: [],
  state: null,
  stale: false,
  lastRunId: null,
  lastRunAt: null,
  connector: null,
  columns: 0,
});
