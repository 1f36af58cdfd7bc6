import type { ApiNode } from "./types";

/** How a node is drawn. */
export type Look =
  | "table"
  | "view"
  | "topic"
  | "file"
  | "index"
  | "endpoint"
  | "connector"
  | "spark"
  | "flink"
  | "airflow"
  | "dbt"
  | "job";

const LOOKS: Record<string, [Look, string]> = {
  TABLE: ["table", "Table"],
  VIEW: ["view", "View"],
  TOPIC: ["topic", "Topic"],
  STREAM: ["topic", "Stream"],
  QUEUE: ["topic", "Queue"],
  FILE: ["file", "File"],
  INDEX: ["index", "Index"],
  COLLECTION: ["index", "Collection"],
  ENDPOINT: ["endpoint", "Endpoint"],
  KAFKA_CONNECT: ["connector", "Connector"],
  DEBEZIUM: ["connector", "Connector"],
  SPARK: ["spark", "Spark job"],
  FLINK: ["flink", "Flink job"],
  AIRFLOW: ["airflow", "Airflow task"],
  DBT: ["dbt", "dbt model"],
};

export const KIND_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS).map(([code, [, word]]) => [code, word]),
);

const PLATFORMS: Record<string, string> = {
  abs: "Azure storage",
  bigquery: "BigQuery",
  gcs: "Google Cloud storage",
  kafka: "Kafka",
  "kafka-connect": "Kafka Connect",
  mongodb: "MongoDB",
  mssql: "SQL Server",
  mysql: "MySQL",
  oracle: "Oracle",
  postgres: "PostgreSQL",
  s3: "S3",
  snowflake: "Snowflake",
  spark: "Spark",
};

export const platformWord = (platform: string): string =>
  Object.hasOwn(PLATFORMS, platform) ? (PLATFORMS[platform] as string) : platform;

export function lookOf(node: Pick<ApiNode, "type" | "kind" | "connector">): Look {
  if (node.connector) return "connector";
  return LOOKS[node.kind]?.[0] ?? (node.type === "JOB" ? "job" : "table");
}

export function kindWord(node: Pick<ApiNode, "type" | "kind" | "connector">): string {
  if (node.connector) return "Connector";
  const known = LOOKS[node.kind]?.[1];
  if (known) return known;
  if (node.kind === "" || node.kind === "JOB") return node.type === "JOB" ? "Job" : "Dataset";
  const word = node.kind.replaceAll("_", " ").toLowerCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}
