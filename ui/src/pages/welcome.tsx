import { BASE } from "@/api/client";
import { CopyButton } from "@/components/name";

/** What to do when nothing was told yet. */
export function Welcome() {
  const url = BASE.href.replace(/\/$/, "");
  const ways: [string, string, string][] = [
    [
      "Watch a Kafka Connect cluster",
      "Reads its REST API, changes nothing.",
      `OPENLINEAGE_URL=${url} mainstem watch \\\n  --connect http://connect:8083 --kafka broker:9092`,
    ],
    [
      "Let Spark tell",
      "With OpenLineage's own listener.",
      `--conf spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener \\\n--conf spark.openlineage.transport.type=http \\\n--conf spark.openlineage.transport.url=${url}`,
    ],
    ["Read events from a file", "NDJSON, gzipped or not.", "mainstem import events.ndjson"],
    [
      "Try it with a real pipeline",
      "In a checkout; PostgreSQL, Kafka and Connect on this machine.",
      "make lab",
    ],
  ];
  return (
    <div className="mx-auto max-w-3xl space-y-4 p-8">
      <h1 className="text-xl font-semibold">Nothing here yet</h1>
      <p className="text-pale">
        Send OpenLineage events to this server and the graph appears here by itself; no need to
        reload.
      </p>
      <ol className="space-y-3">
        {ways.map(([title, note, command]) => (
          <li key={title} className="card p-4">
            <h2 className="font-semibold">{title}</h2>
            <p className="text-pale">{note}</p>
            <div className="mt-2 flex items-start gap-2 rounded bg-raised p-2">
              <code className="min-w-0 flex-1 font-mono text-[12px] break-words whitespace-pre-wrap">
                {command}
              </code>
              <CopyButton text={command} label={`Copy the command: ${title}`} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
