import type { components } from "@/api/schema";
import type { State, Tone } from "./state";

export type Finding = components["schemas"]["Finding"];
export type Remedy = components["schemas"]["Remedy"];
/** Two names for one thing, or two namespaces where no name is given. */
export type Alias = components["schemas"]["RemedyAlias"];
export type Severity = Finding["severity"];

const SEVERITIES: Record<Severity, [string, Tone]> = {
  error: ["Error", "bad"],
  warn: ["Warning", "warning"],
  info: ["Info", "quiet"],
};
export const SEVERITY_WORDS: ReadonlyMap<Severity, string> = new Map(
  Object.entries(SEVERITIES).map(([code, [word]]) => [code as Severity, word]),
);

export const WHERE_WORDS: Record<Remedy["where"], string> = {
  recipe: "In the watcher's recipe",
  backend: "On this server",
  spark: "In Spark's configuration",
  connector: "In the connector's configuration",
  debezium: "In Debezium's configuration",
};

/** A severity as states are shown: a colour, a mark and a word. */
export function severityState(severity: Severity): State {
  const [word, tone] = SEVERITIES[severity];
  return { code: severity, word, tone };
}

/** What the server can be told so that a finding is healed at once; nothing where it cannot. */
export const healing = ({ remedies }: Finding): readonly Alias[] =>
  remedies.find((one) => one.where === "backend")?.aliases ?? [];

/** Findings by the nodes that they speak of. */
export function byNode(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const id of new Set(finding.nodes.map((node) => node.nodeId))) {
      const list = found.get(id);
      if (list) list.push(finding);
      else found.set(id, [finding]);
    }
  }
  return found;
}

/** How many findings, in words, and the worst of them first. */
export const findingsWords = (count: number): string =>
  `${count.toLocaleString("en")} ${count === 1 ? "finding" : "findings"}`;

export const aliasKey = ({ namespace, name, otherNamespace, otherName }: Alias): string =>
  JSON.stringify([namespace, name, otherNamespace, otherName]);

/** The two names of an alias, each as it is written elsewhere on the page. */
export const aliasNames = (alias: Alias): readonly [string, string] => [
  wholeName(alias.namespace, alias.name),
  wholeName(alias.otherNamespace, alias.otherName),
];

const wholeName = (namespace: string, name: string | null): string =>
  name === null ? namespace : `${name} in ${namespace}`;
