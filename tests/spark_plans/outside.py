"""Batch reads and writes of files, the built-in catalog, Delta, JDBC and Kafka."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql.avro.functions import from_avro
from pyspark.sql.functions import expr

from spark_plans.session import Bench

AVRO = """{"type": "record", "name": "order", "fields": [{"name": "id", "type": "long"},
{"name": "after", "type": ["null", {"type": "record", "name": "row", "fields":
[{"name": "price", "type": "double"}]}]}]}"""


def _orders(bench: Bench) -> Any:
    return bench.spark.table("lake.db.orders")


def _json_file_to_csv(bench: Bench) -> None:
    source = bench.root / "in" / "people.json"
    source.parent.mkdir(exist_ok=True)
    source.write_text('{"name": "ann", "age": 3}\n')
    people = bench.spark.read.schema("name string, age long").json(str(source))
    people.selectExpr("upper(name) as name", "age").write.mode("overwrite").csv(
        bench.path("out/people")
    )


def _several_files(bench: Bench) -> None:
    folder = bench.root / "in" / "parts"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text("1,x\n")
    parts = bench.spark.read.schema("id long, word string").csv(
        [str(folder / "a.csv"), str(folder / "b.csv")]
    )
    parts.write.mode("overwrite").orc(bench.path("out/parts"))


def _partitioned_parquet(bench: Bench) -> None:
    orders = _orders(bench).select("id", "cust", "amount")
    orders.write.mode("overwrite").partitionBy("cust").parquet(bench.path("out/partitioned"))


def _save_as_table(bench: Bench) -> None:
    bench.sql("drop table if exists kept")
    _orders(bench).select("id", "cust").write.format("parquet").saveAsTable("kept")


def _insert_into_parquet_table(bench: Bench) -> None:
    bench.sql("create table if not exists plain (id bigint, word string) using parquet")
    bench.sql("insert into plain select id, email from lake.db.customers")


def _read_parquet_table(bench: Bench) -> None:
    bench.sql("create database if not exists shop")
    bench.sql("create table if not exists shop.words (id bigint, word string) using parquet")
    bench.spark.table("shop.words").select("word").write.mode("overwrite").json(
        bench.path("out/words")
    )


def _delta_save(bench: Bench) -> None:
    _orders(bench).select("id", "cust", "amount").write.format("delta").mode("overwrite").save(
        bench.path("delta/orders")
    )


def _with_delta(statement: str) -> Callable[[Bench], Any]:
    def run(bench: Bench) -> Any:
        bench.sql(
            f"create table if not exists delta.`{bench.root}/delta/orders` "
            "(id bigint, cust string, amount double) using delta"
        )
        return bench.sql(
            statement.format(table=f"delta.`{bench.root}/delta/orders`", root=bench.root)
        )

    return run


def _delta_table(bench: Bench) -> None:
    bench.sql("drop table if exists dtable")
    bench.sql("create table dtable using delta as select id, cust from lake.db.orders")


def _delta_table_insert(bench: Bench) -> None:
    bench.sql("create table if not exists dtable2 (id bigint, cust string) using delta")
    bench.sql("insert into dtable2 select id, name from lake.db.customers")


def _jdbc_options(bench: Bench, **options: str) -> dict[str, str]:
    return {"url": bench.jdbc_url, "user": "postgres", "driver": "org.postgresql.Driver", **options}


def _jdbc_write(bench: Bench) -> None:
    rows = bench.spark.table("lake.db.customers").selectExpr("id", "upper(name) as name", "email")
    rows.write.format("jdbc").options(**_jdbc_options(bench, dbtable="public.people")).mode(
        "overwrite"
    ).save()


def _jdbc_table_insert(bench: Bench) -> None:
    bench.sql(
        f"create table if not exists people using jdbc options (url '{bench.jdbc_url}', "
        "user 'postgres', driver 'org.postgresql.Driver', dbtable 'public.people')"
    )
    bench.sql("insert into people select id, cust, payload from lake.db.orders")


def _jdbc_read(bench: Bench) -> None:
    people = bench.spark.read.format("jdbc").options(
        **_jdbc_options(bench, dbtable="public.people")
    )
    people.load().where("id > 3").select("name").write.mode("overwrite").parquet(
        bench.path("out/jdbc")
    )


def _jdbc_query(bench: Bench) -> None:
    query = "select id, email as mail from public.people where id > 0"
    people = bench.spark.read.format("jdbc").options(**_jdbc_options(bench, query=query)).load()
    people.write.mode("overwrite").parquet(bench.path("out/jdbc_query"))


def _jdbc_joined_query(bench: Bench) -> None:
    query = "(select a.id, b.name from public.people a join public.people b on a.id = b.id) q"
    people = bench.spark.read.format("jdbc").options(**_jdbc_options(bench, dbtable=query)).load()
    people.write.mode("overwrite").parquet(bench.path("out/jdbc_joined"))


def _kafka_write(bench: Bench) -> None:
    rows = _orders(bench).selectExpr(
        "cast(id as string) as key",
        "to_json(struct(id, upper(cust) as cust, supplier as s)) as value",
    )
    rows.write.format("kafka").option("kafka.bootstrap.servers", bench.bootstrap).option(
        "topic", "orders"
    ).save()


def _kafka_topic_column(bench: Bench) -> None:
    rows = _orders(bench).selectExpr("'labels' as topic", "cust as value")
    rows.write.format("kafka").option("kafka.bootstrap.servers", bench.bootstrap).save()


def _kafka_read(bench: Bench) -> None:
    read = bench.spark.read.format("kafka").option("kafka.bootstrap.servers", bench.bootstrap)
    records = (
        read.option("subscribe", "orders")
        .load()
        .selectExpr(
            "cast(key as string) as key",
            "from_json(cast(value as string), 'id long, s struct<code: string>') as v",
            "timestamp",
        )
    )
    records.selectExpr("key", "v.id", "v.s.code as code", "timestamp").write.mode(
        "overwrite"
    ).parquet(bench.path("out/records"))


def _avro_to_kafka_and_fields(bench: Bench) -> None:
    read = bench.spark.read.format("kafka").option("kafka.bootstrap.servers", bench.bootstrap)
    records = read.option("subscribe", "avro").option("startingOffsets", "earliest").load()
    payload = expr("substring(value, 6, length(value) - 5)")
    decoded = records.select(from_avro(payload, AVRO).alias("v"), "key")
    decoded.selectExpr("v.id", "v.after.price * 2 as price", "v.after as after", "key").write.mode(
        "overwrite"
    ).parquet(bench.path("out/avro"))


OUTSIDE: dict[str, Callable[[Bench], Any]] = {
    "avro_of_confluent": _avro_to_kafka_and_fields,
    "delta_delete": _with_delta("delete from {table} where amount < 0"),
    "delta_merge": _with_delta(
        "merge into {table} t using lake.db.orders o on t.id = o.id "
        "when matched and o.amount > 1 then update set amount = o.amount + t.amount "
        "when not matched then insert (id, cust) values (o.id, o.cust)"
    ),
    "delta_save": _delta_save,
    "delta_table_as_select": _delta_table,
    "delta_table_insert": _delta_table_insert,
    "delta_to_files": _with_delta(
        "insert overwrite directory '{root}/out/delta_copy' using parquet "
        "select id, cust from {table}"
    ),
    "delta_update": _with_delta("update {table} set amount = amount * 2 where cust = 'x'"),
    "insert_into_parquet_table": _insert_into_parquet_table,
    "jdbc_write": _jdbc_write,
    "jdbc_table_insert": _jdbc_table_insert,
    "jdbc_read": _jdbc_read,
    "jdbc_query": _jdbc_query,
    "jdbc_joined_query": _jdbc_joined_query,
    "json_file_to_csv": _json_file_to_csv,
    "kafka_write": _kafka_write,
    "kafka_topic_column": _kafka_topic_column,
    "kafka_read": _kafka_read,
    "partitioned_parquet": _partitioned_parquet,
    "read_parquet_table": _read_parquet_table,
    "save_as_table": _save_as_table,
    "several_files": _several_files,
}
