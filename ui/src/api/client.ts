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

/** How long an answer may take; a server that hangs would leave the page waiting for ever. */
const PATIENCE = 30_000;

async function patientFetch(input: Request | URL, init?: RequestInit): Promise<Response> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  const given = input instanceof Request ? input.signal : init?.signal;
  const signal = given ? AbortSignal.any([given, giveUp.signal]) : giveUp.signal;
  try {
    return await fetch(input, { ...init, signal });
  } catch (error) {
    if (giveUp.signal.aborted)
      throw new ApiError(0, `the server did not answer within ${PATIENCE / 1000} s`);
    if (error instanceof TypeError) throw new Error("the server cannot be reached");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const client = createClient<paths>({
  baseUrl: BASE.href.replace(/\/$/, ""),
  fetch: patientFetch,
});

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
  const response = await patientFetch(url, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}
