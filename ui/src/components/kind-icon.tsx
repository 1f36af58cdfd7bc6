import {
  Braces,
  Cable,
  Clock4,
  Cog,
  Eye,
  FileText,
  Layers,
  type LucideIcon,
  Search,
  Sparkles,
  Table2,
  Waves,
  Webhook,
  Workflow,
} from "lucide-react";
import { kindWord, type Look, lookOf } from "@/graph/kind";
import type { ApiNode } from "@/graph/types";

const ICONS: Record<Look, LucideIcon> = {
  table: Table2,
  view: Eye,
  topic: Layers,
  file: FileText,
  index: Search,
  endpoint: Webhook,
  connector: Cable,
  spark: Sparkles,
  flink: Waves,
  airflow: Clock4,
  dbt: Braces,
  job: Cog,
};

type Shown = Pick<ApiNode, "type" | "kind" | "connector">;

export function KindIcon({ node, size = 14 }: { node: Shown; size?: number }) {
  const Icon = ICONS[lookOf(node)] ?? Workflow;
  return <Icon size={size} aria-hidden className="shrink-0" />;
}

export function Kind({ node }: { node: Shown }) {
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap text-pale">
      <KindIcon node={node} />
      {kindWord(node)}
    </span>
  );
}
