import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { newsQuery, summaryQuery } from "@/api/queries";
import type { components } from "@/api/schema";
import { EventPlot } from "@/components/event-plot";
import { Failed, Loading } from "@/components/messages";
import { Name } from "@/components/name";
import { NewsRows } from "@/components/news-rows";
import { NodeRows } from "@/components/node-rows";
import { Section } from "@/components/section";
import { Select } from "@/components/select";
import { NEWS_WORDS } from "@/graph/news";
import { parseNodeId } from "@/graph/node-id";
import { Welcome } from "./welcome";

type Summary = components["schemas"]["Summary"];

export function Home() {
  const summary = useQuery(summaryQuery);
  if (summary.isPending) return <Loading what="the summary" />;
  if (summary.error)
    return <Failed what="The summary" error={summary.error} again={() => summary.refetch()} />;
  if (summary.data.events === 0) return <Welcome />;
  return <Overview summary={summary.data} />;
}

function Overview({ summary }: { summary: Summary }) {
  const points = useMemo(
    () => summary.eventsByHour.map((one) => ({ at: String(one.hour), events: Number(one.events) })),
    [summary.eventsByHour],
  );
  return (
    <div className="mx-auto max-w-7xl space-y-4 p-4">
      <h1 className="sr-only">Home</h1>
      <Counts summary={summary} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Section title="Failing now" beside={<Count of={summary.failing.length} />}>
          <NodeRows nodes={summary.failing} empty="Nothing fails." />
          {summary.stale > 0 && <Silent count={summary.stale} />}
        </Section>
        <News />
        <Section title="Events by the hour">
          <div className="p-3">
            <EventPlot points={points} />
          </div>
        </Section>
        <Section title="Largest consumers">
          <Consumers summary={summary} />
        </Section>
      </div>
    </div>
  );
}

function News() {
  const news = useQuery(newsQuery);
  const [what, setWhat] = useState<string>();
  const items = news.data?.items ?? [];
  const kinds = new Map(items.map((item) => [item.what as string, NEWS_WORDS[item.what]]));
  const shown = what === undefined ? items : items.filter((item) => item.what === what);
  return (
    <Section
      title="What changed today"
      beside={
        kinds.size > 1 && (
          <Select
            label="Show"
            value={what}
            options={kinds}
            any="all kinds"
            isBare
            onChange={setWhat}
          />
        )
      }
    >
      {news.isPending ? (
        <Loading what="what changed" />
      ) : news.error ? (
        <Failed what="What changed" error={news.error} again={() => void news.refetch()} />
      ) : (
        <NewsRows items={shown} since={news.data.since} isPartial={news.data.truncated} />
      )}
    </Section>
  );
}

/** Whether jobs that stopped reporting still work nobody knows, so they are none that fail. */
function Silent({ count }: { count: number }) {
  return (
    <p className="px-3 py-2 text-pale">
      <Link to="/search" search={{ type: "JOB", state: "UNKNOWN" }} className="link">
        {count.toLocaleString()} {count === 1 ? "job" : "jobs"} stopped reporting
      </Link>
      ; whether they still work nobody knows.
    </p>
  );
}

function Count({ of }: { of: number }) {
  return <span className="text-[12px] text-pale">{of === 20 ? "the last 20" : of}</span>;
}

function Counts({ summary }: { summary: Summary }) {
  const { states } = summary;
  const figures: [string, number, string, Record<string, string>?][] = [
    ["Jobs", summary.jobs, "", { type: "JOB" }],
    ["Datasets", summary.datasets, "", { type: "DATASET" }],
    [
      "Running",
      (states.RUNNING ?? 0) - summary.stale,
      "text-good",
      { type: "JOB", state: "RUNNING" },
    ],
    [
      "Failed",
      states.FAILED ?? 0,
      (states.FAILED ?? 0) > 0 ? "text-bad" : "",
      { type: "JOB", state: "FAILED" },
    ],
    [
      "Stopped reporting",
      summary.stale,
      summary.stale > 0 ? "text-unknown" : "",
      { type: "JOB", state: "UNKNOWN" },
    ],
    ["Events", summary.events, ""],
  ];
  return (
    <dl className="card grid grid-cols-2 divide-line sm:grid-cols-3 lg:grid-cols-6 lg:divide-x">
      {figures.map(([word, count, colour, narrowed]) => (
        <div key={word} className="px-4 py-3">
          <dt className="heading">{word}</dt>
          <dd className={`text-2xl font-semibold tabular-nums ${colour}`}>
            {narrowed ? (
              <Link to="/search" search={narrowed} className="hover:underline">
                {Math.max(0, count).toLocaleString()}
              </Link>
            ) : (
              count.toLocaleString()
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Consumers({ summary }: { summary: Summary }) {
  const rows = summary.largestConsumers.map((one) => ({
    id: String(one.id),
    inputs: Number(one.inputs),
  }));
  if (rows.length === 0) return <p className="p-3 text-pale">No job reads anything yet.</p>;
  const most = Math.max(...rows.map((one) => one.inputs));
  return (
    <ul className="max-h-80 overflow-auto py-1">
      {rows.slice(0, 10).map(({ id, inputs }) => (
        <li key={id} className="grid grid-cols-[1fr_7rem_4rem] items-center gap-3 px-3 py-1">
          <Link to="/lineage" search={{ node: id }} className="link flex min-w-0">
            <Name text={parseNodeId(id)?.name ?? id} most={44} />
          </Link>
          <meter className="sr-only" min={0} max={most} value={inputs} aria-label="inputs" />
          <svg aria-hidden viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full">
            <rect width={(100 * inputs) / most} height="8" rx="2" className="fill-accent" />
          </svg>
          <span className="text-right tabular-nums">{inputs.toLocaleString()} in</span>
        </li>
      ))}
    </ul>
  );
}
