import { Link } from "@tanstack/react-router";
import { GitFork } from "lucide-react";
import { CopyButton, Name } from "@/components/name";
import { StateBadge } from "@/components/state-badge";
import { type Finding, healing, type Remedy, severityState, WHERE_WORDS } from "@/graph/findings";
import { useAliasing, useMayDecide } from "./use-aliasing";

/** Nodes that a finding names at once; it may speak of thousands. */
const MOST_NODES = 12;

interface Said {
  finding: Finding;
  /** Told once a finding is healed, since its card goes away. */
  healed: (finding: Finding) => void;
}

/** What is wrong, why it matters, how sure that is, and what to do about it. */
export function FindingCard({ finding, healed }: Said) {
  const { nodes, remedies } = finding;
  return (
    <article aria-label={finding.title} className="card space-y-2.5 p-3">
      <header className="space-y-1">
        <p className="flex items-center gap-2 text-[12px] text-pale">
          <StateBadge state={severityState(finding.severity)} />
          <span>{finding.confidence}</span>
          <code className="font-mono text-[11px]">{finding.kind}</code>
        </p>
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{finding.title}</bdi>
        </h3>
        <p className="text-pale [overflow-wrap:anywhere]">{finding.why}</p>
      </header>
      <ul aria-label="Nodes" className="space-y-0.5">
        {nodes.slice(0, MOST_NODES).map(({ nodeId, name, namespace }) => (
          <li key={nodeId} className="flex min-w-0 items-baseline gap-1.5">
            <Link
              to="/lineage"
              search={{ node: nodeId, select: nodeId, panel: "findings" }}
              className="link flex min-w-0 shrink-0 items-center gap-1"
              aria-label={`Show ${name} in ${namespace} on the graph`}
            >
              <GitFork size={12} aria-hidden className="shrink-0 rotate-90" />
              <Name text={name} most={36} />
            </Link>
            <Name text={namespace} most={40} className="text-[12px] text-pale" />
          </li>
        ))}
        {nodes.length > MOST_NODES && (
          <li className="text-pale">and {(nodes.length - MOST_NODES).toLocaleString("en")} more</li>
        )}
      </ul>
      {remedies.map((remedy) => (
        <RemedyLines key={`${remedy.where} ${remedy.text}`} remedy={remedy}>
          {remedy.where === "backend" && healing(finding).length > 0 && (
            <Heal finding={finding} healed={healed} />
          )}
        </RemedyLines>
      ))}
    </article>
  );
}

function RemedyLines({ remedy, children }: { remedy: Remedy; children: React.ReactNode }) {
  const where = WHERE_WORDS[remedy.where];
  return (
    <section aria-label={where} className="space-y-1">
      <h4 className="heading">{where}</h4>
      <div className="flex items-start gap-1 rounded bg-raised p-2">
        <pre
          tabIndex={0}
          className="max-h-48 min-w-0 flex-1 overflow-auto font-mono text-[12px] break-all whitespace-pre-wrap"
        >
          {remedy.text}
        </pre>
        <CopyButton text={remedy.text} label={`Copy the lines: ${where}`} />
      </div>
      {children}
    </section>
  );
}

function Heal({ finding, healed }: Said) {
  const { mutate, isPending, error } = useAliasing("apply", () => healed(finding));
  const mayDecide = useMayDecide();
  const aliases = healing(finding);
  if (!mayDecide)
    return (
      <p className="text-[12px] text-pale">To apply it, sign in with a token that may write.</p>
    );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <button type="button" className="button" disabled={isPending} onClick={() => mutate(aliases)}>
        {aliases.length === 1 ? "Apply this alias" : `Apply these ${aliases.length} aliases`}
      </button>
      <span className="text-[12px] text-pale">It can be taken back.</span>
      {error && (
        <p role="alert" className="text-bad [overflow-wrap:anywhere]">
          Could not be applied: {error.message}
        </p>
      )}
    </div>
  );
}
