import createClient from "openapi-fetch";
import type { paths } from "./schema";

/** The page may live below any path; index.html says which. */
export const BASE = new URL(".", document.baseURI);

/** What the server said when it said no. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const client = createClient<paths>({ baseUrl: BASE.href.replace(/\/$/, "") });

client.use({
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
});

async function errorOf(response: Response): Promise<ApiError> {
  const said: unknown = await response.json().catch(() => undefined);
  const message =
    typeof said === "object" && said !== null && "message" in said
      ? String(said.message)
      : `the server answered ${response.status}`;
  return new ApiError(response.status, message);
}

export { client };

export async function dataOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  if (data === undefined) throw new ApiError(0, "the server gave an empty answer");
  return data;
}

/** Marquez's paths, whose shapes marquez.ts states. */
export async function ask<T>(
  parts: readonly string[],
  query: Record<string, string> = {},
): Promise<T> {
  const url = new URL(["api/v1", ...parts.map(encodeURIComponent)].join("/"), BASE);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}

export async function tell(method: "POST" | "DELETE", parts: readonly string[]): Promise<void> {
  const url = new URL(["api/v1", ...parts.map(encodeURIComponent)].join("/"), BASE);
  const response = await fetch(url, { method });
  if (!response.ok) throw await errorOf(response);
}
