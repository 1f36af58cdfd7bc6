/** One believable pipeline: PostgreSQL → Debezium → Kafka → sink and Spark → lake and summary. */
import {
  columns,
  event,
  jobType,
  lineage,
  minutesAgo,
  owned,
  type SaidDataset,
  schema,
  tagged,
} from "./seed";

const postgres = "postgres://shop-db:5432";
const kafka = "kafka://broker-1:9092";
const connect = "kafka-connect://production";

const customerFields = schema(
  { name: "id", type: "int8" },
  { name: "email", type: "varchar" },
  {
    name: "address",
    type: "struct",
    fields: [
      { name: "city", type: "varchar" },
      { name: "zip", type: "varchar" },
    ],
  },
  { name: "created_at", type: "timestamptz" },
);
const orderFields = schema(
  { name: "id", type: "int8" },
  { name: "customer_id", type: "int8" },
  { name: "amount", type: "numeric" },
  { name: "note", type: "text" },
);

export const customers: SaidDataset = {
  namespace: postgres,
  name: "shop.public.customers",
  facets: { ...customerFields, ...owned("team-shop"), ...tagged("pii") },
};
export const orders: SaidDataset = {
  namespace: postgres,
  name: "shop.public.orders",
  facets: { ...orderFields, ...owned("team-shop") },
};
const bare = ({ namespace, name }: SaidDataset): SaidDataset => ({ namespace, name });
export const customersTopic: SaidDataset = {
  namespace: kafka,
  name: "shop.public.customers",
  facets: {
    ...customerFields,
    ...columns({
      id: [{ from: customers, field: "id" }],
      email: [{ from: customers, field: "email", how: "TRANSFORMATION", masking: true }],
      "address.city": [{ from: customers, field: "address.city" }],
    }),
  },
};
export const ordersTopic: SaidDataset = {
  namespace: kafka,
  name: "shop.public.orders",
  facets: {
    ...orderFields,
    ...columns({
      id: [{ from: orders, field: "id" }],
      customer_id: [{ from: orders, field: "customer_id" }],
      amount: [{ from: orders, field: "amount" }],
    }),
  },
};
export const lakeOrders: SaidDataset = {
  namespace: "s3://lake",
  name: "raw/orders",
  facets: {
    ...orderFields,
    ...columns({
      id: [{ from: ordersTopic, field: "id" }],
      amount: [{ from: ordersTopic, field: "amount", how: "TRANSFORMATION" }],
    }),
  },
};
export const summary: SaidDataset = {
  namespace: "iceberg://warehouse",
  name: "marts.daily_revenue",
  facets: {
    ...schema(
      { name: "day", type: "date" },
      { name: "city", type: "string" },
      { name: "revenue", type: "decimal(18,2)" },
    ),
    ...columns({
      revenue: [{ from: lakeOrders, field: "amount", how: "AGGREGATION" }],
      city: [{ from: customersTopic, field: "address.city" }],
    }),
    ...owned("team-finance"),
  },
};

const connector = (config: object): Record<string, unknown> => ({
  mainstem_connector: {
    connectorClass: "io.debezium.connector.postgresql.PostgresConnector",
    connectorType: "source",
    configVersion: "c1",
    tasks: [{ id: 0, state: "RUNNING", worker: "w1:8083" }],
    edges: [],
    control: [],
    unresolved: [],
    notes: [],
    ...config,
  },
});

export const DEBEZIUM = "shop-cdc";
export const SINK = "orders-to-lake";
export const SPARK = "daily-revenue";

export function river(): object[] {
  return [
    event({
      job: DEBEZIUM,
      namespace: connect,
      type: "COMPLETE",
      run: "10000000-0000-4000-8000-000000000001",
      time: minutesAgo(300),
      inputs: [customers],
      outputs: [customersTopic],
      jobFacets: jobType("KAFKA_CONNECT"),
      runFacets: connector({ configVersion: "c0" }),
    }),
    event({
      job: DEBEZIUM,
      namespace: connect,
      type: "RUNNING",
      run: "10000000-0000-4000-8000-000000000002",
      time: minutesAgo(120),
      inputs: [customers, orders],
      outputs: [customersTopic, ordersTopic],
      jobFacets: {
        ...jobType("KAFKA_CONNECT"),
        ...owned("team-platform"),
        ...lineage([customers, customersTopic], [orders, ordersTopic]),
      },
      runFacets: connector({
        tasks: [
          { id: 0, state: "RUNNING", worker: "w1:8083" },
          { id: 1, state: "FAILED", worker: "w2:8083" },
        ],
        degraded: "1 of 2 tasks failed",
        edges: [
          { input: bare(customers), output: bare(customersTopic), evidence: "seen" },
          { input: bare(orders), output: bare(ordersTopic), evidence: "config" },
        ],
        control: [
          { namespace: kafka, name: "connect-offsets", kind: "offsets" },
          { namespace: kafka, name: "shop-history", kind: "schema history" },
        ],
      }),
    }),
    event({
      job: SINK,
      namespace: connect,
      type: "START",
      run: "10000000-0000-4000-8000-000000000003",
      time: minutesAgo(60),
      inputs: [ordersTopic],
      outputs: [lakeOrders],
      jobFacets: jobType("KAFKA_CONNECT"),
      runFacets: connector({
        connectorClass: "io.confluent.connect.s3.S3SinkConnector",
        connectorType: "sink",
        tasks: [{ id: 0, state: "FAILED", worker: "w1:8083" }],
        control: [{ namespace: kafka, name: "orders-dlq", kind: "dead letters" }],
      }),
    }),
    event({
      job: SINK,
      namespace: connect,
      type: "FAIL",
      run: "10000000-0000-4000-8000-000000000003",
      time: minutesAgo(20),
      jobFacets: jobType("KAFKA_CONNECT"),
      runFacets: {
        errorMessage: {
          message:
            "org.apache.kafka.connect.errors.ConnectException: could not reach jdbc:postgresql://app:hunter2@db/shop?password=hunter2\nsecond line",
          programmingLanguage: "JAVA",
          stackTrace: "at io.confluent.connect.s3.S3SinkTask.put(S3SinkTask.java:1)",
        },
      },
    }),
    event({
      job: SPARK,
      type: "COMPLETE",
      run: "10000000-0000-4000-8000-000000000004",
      time: minutesAgo(10),
      inputs: [lakeOrders, customersTopic],
      outputs: [summary],
      jobFacets: { ...jobType("SPARK"), ...owned("team-finance") },
    }),
  ];
}
