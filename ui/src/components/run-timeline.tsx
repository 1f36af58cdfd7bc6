import { Fragment } from "react";
import type { Run } from "@/api/marquez";
import { stateOfRun, type Tone } from "@/graph/state";
import { redact } from "@/text/redact";
import { duration } from "@/text/time";
import { Age, useNow } from "./age";
import { StateBadge } from "./state-badge";

const FILLS: Record<Tone, string> = {
  good: "fill-good",
  bad: "fill-bad",
  warning: "fill-warning",
  unknown: "fill-unknown",
  quiet: "fill-quiet",
};

/** Runs, the latest first, each as a bar where it stood in time. */
export function RunTimeline({ runs }: { runs: readonly Run[] }) {
  const now = useNow();
  if (runs.length === 0) return <p className="p-3 text-pale">No run was told yet.</p>;
  const spans = runs.map((run) => spanOf(run, now));
  const first = Math.min(...spans.map(([start]) => start));
  const last = Math.max(...spans.map(([, end]) => end));
  const share = 1000 / Math.max(1, last - first);
  return (
    <div className="max-h-[32rem] overflow-auto">
      <table className="listing">
        <thead className="sticky top-0 bg-surface">
          <tr>
            <th>State</th>
            <th>Started</th>
            <th>Duration</th>
            <th className="w-1/2">Timeline</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, at) => {
            const [start, end] = spans[at] as [number, number];
            const state = stateOfRun(run);
            return (
              <Fragment key={run.id}>
                <tr>
                  <td>
                    <StateBadge state={state} />
                  </td>
                  <td>
                    <Age at={run.startedAt ?? run.createdAt} />
                  </td>
                  <td className="whitespace-nowrap">{lengthOf(run, start, end)}</td>
                  <td>
                    <svg
                      aria-hidden
                      viewBox="0 0 1000 10"
                      preserveAspectRatio="none"
                      className="h-2.5 w-full"
                    >
                      <rect width="1000" height="10" className="fill-raised" />
                      <rect
                        x={Math.min(992, (start - first) * share)}
                        width={Math.max(8, (end - start) * share)}
                        height="10"
                        className={FILLS[state?.tone ?? "quiet"]}
                      />
                    </svg>
                  </td>
                </tr>
                <RunError run={run} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function spanOf(run: Run, now: number): [number, number] {
  const start = Date.parse(run.startedAt ?? run.createdAt);
  const open = run.stale ? Date.parse(run.updatedAt) : now;
  const end = run.endedAt ? Date.parse(run.endedAt) : open;
  return [start, Math.max(start, end)];
}

function lengthOf(run: Run, start: number, end: number): string {
  if (run.durationMs !== null) return duration(run.durationMs);
  if (run.endedAt) return "not told";
  return run.stale ? `at least ${duration(end - start)}` : `${duration(end - start)} so far`;
}

function RunError({ run }: { run: Run }) {
  const facet = run.facets.errorMessage as { message?: unknown; stackTrace?: unknown } | undefined;
  if (!facet || typeof facet.message !== "string") return null;
  const message = redact(facet.message);
  const [first = ""] = message.split("\n", 1);
  const trace = typeof facet.stackTrace === "string" ? redact(facet.stackTrace) : "";
  return (
    <tr>
      <td colSpan={4} className="bg-bad-ground/40">
        <details>
          <summary className="cursor-pointer text-bad">
            <bdi className="wrap-anywhere">
              {first.length > 160 ? `${first.slice(0, 160)}…` : first}
            </bdi>
          </summary>
          <pre
            tabIndex={0}
            className="max-h-72 overflow-auto rounded bg-raised p-2 font-mono text-[12px] wrap-anywhere whitespace-pre-wrap"
          >
            {trace ? `${message}\n\n${trace}` : message}
          </pre>
        </details>
      </td>
    </tr>
  );
}
