"""Streaming queries, from every source to every sink, and what happens inside foreachBatch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import functions
from pyspark.sql.avro.functions import from_avro
from pyspark.sql.functions import col

from spark_plans.outside import AVRO
from spark_plans.session import Bench

EVENT = (
    "op string, ts timestamp, "
    "after struct<id: long, amount: double, supplier: struct<code: string>>"
)


def _topic(bench: Bench, **options: str) -> Any:
    reader = bench.spark.readStream.format("kafka")
    given = {"kafka.bootstrap.servers": bench.bootstrap, "startingOffsets": "earliest", **options}
    return reader.options(**given).load()


def _events(bench: Bench) -> Any:
    records = _topic(bench, subscribe="events")
    return records.selectExpr(f"from_json(cast(value as string), '{EVENT}') as e")


def _start(bench: Bench, frame: Any, sink: str, name: str, **options: str) -> Any:
    writer = frame.writeStream.format(sink).options(**options).outputMode("append")
    return writer.option("checkpointLocation", bench.path(f"checkpoints/{name}")).queryName(name)


def _raw_to_iceberg(bench: Bench) -> Any:
    frame = _topic(bench, subscribe="events").selectExpr(
        "offset as id",
        "cast(value as string) as code",
        "timestamp as ts",
        "double(partition) as total",
    )
    return _start(bench, frame, "iceberg", "raw").toTable("lake.db.events")


def _json_to_iceberg(bench: Bench) -> Any:
    frame = (
        _events(bench)
        .where("e.op <> 'd'")
        .selectExpr("e.after.id", "e.after.supplier.code", "e.ts", "e.after.amount * 2 as total")
    )
    return _start(bench, frame, "iceberg", "json", path="lake.db.events").start()


def _windowed_to_iceberg(bench: Bench) -> Any:
    events = _events(bench).selectExpr("e.ts", "e.after.amount", "e.after.supplier.code")
    frame = (
        events.withWatermark("ts", "1 minute")
        .groupBy(functions.window("ts", "5 minutes"), "code")
        .agg(functions.sum("amount").alias("total"), functions.count("*").alias("id"))
        .selectExpr("id", "code", "window.start as ts", "total")
    )
    return _start(bench, frame, "iceberg", "windowed").toTable("lake.db.events")


def _kafka_to_kafka(bench: Bench) -> Any:
    frame = (
        _events(bench)
        .selectExpr("e.after.supplier.code", "e.after.amount")
        .groupBy("code")
        .agg({"amount": "sum"})
        .selectExpr(
            "code as key", "to_json(named_struct('code', code, 'total', `sum(amount)`)) as value"
        )
    )
    sink = {"kafka.bootstrap.servers": bench.bootstrap, "topic": "sums"}
    return _start(bench, frame, "kafka", "k2k", **sink).outputMode("update").start()


def _pass_through(bench: Bench) -> Any:
    frame = _topic(bench, assign='{"events": [0]}', includeHeaders="true").select(
        "key", "value", "headers"
    )
    sink = {"kafka.bootstrap.servers": bench.bootstrap, "topic": "copies"}
    return _start(bench, frame, "kafka", "pass", **sink).start()


def _stream_static_join(bench: Bench) -> Any:
    static = bench.spark.table("lake.db.customers")
    frame = (
        _events(bench)
        .selectExpr("e.after.id as oid", "e.after.amount")
        .join(static, static.id == col("oid"), "left")
    )
    target = frame.select("oid", "amount", "email")
    return _start(bench, target, "parquet", "static", path=bench.path("stream/static")).start()


def _iceberg_to_iceberg(bench: Bench) -> Any:
    frame = bench.spark.readStream.table("lake.db.orders").selectExpr(
        "id", "cust as code", "ts", "amount as total"
    )
    return _start(bench, frame, "iceberg", "i2i").toTable("lake.db.events")


def _stream_stream_join(bench: Bench) -> Any:
    left = (
        _events(bench).selectExpr("e.ts as lts", "e.after.id as lid").withWatermark("lts", "1 hour")
    )
    records = _topic(bench, subscribe="payments").selectExpr(
        "get_json_object(cast(value as string), '$.order.id') as oid",
        "get_json_object(cast(value as string), '$.paid') as paid",
        "timestamp as rts",
    )
    right = records.withWatermark("rts", "1 hour")
    frame = left.join(right, (col("lid") == col("oid")) & (col("lts") <= col("rts")))
    target = frame.selectExpr("lid", "paid")
    return _start(bench, target, "json", "joined", path=bench.path("stream/joined")).start()


def _union_without_duplicates(bench: Bench) -> Any:
    both = _topic(bench, subscribe="events, payments").selectExpr("cast(value as string) as v")
    more = _topic(bench, subscribe="avro").selectExpr("cast(key as string) as v")
    frame = both.union(more).dropDuplicates(["v"])
    return _start(bench, frame, "csv", "union", path=bench.path("stream/union")).start()


def _pattern(bench: Bench) -> Any:
    frame = _topic(bench, subscribePattern="ev.*").selectExpr("cast(value as string) as v")
    return _start(bench, frame, "parquet", "pattern", path=bench.path("stream/pattern")).start()


def _rate_to_memory(bench: Bench) -> Any:
    frame = bench.spark.readStream.format("rate").load().selectExpr("value * 2 as twice")
    return _start(bench, frame, "memory", "rates").start()


def _files_to_delta(bench: Bench) -> Any:
    folder = bench.root / "stream" / "arrivals"
    folder.mkdir(parents=True, exist_ok=True)
    frame = bench.spark.readStream.schema("id long, word string").json(str(folder))
    target = frame.selectExpr("id", "upper(word) as word")
    return _start(bench, target, "delta", "arrivals", path=bench.path("delta/arrivals")).start()


def _avro_to_console(bench: Bench) -> Any:
    frame = _topic(bench, subscribe="avro").select(from_avro("value", AVRO).alias("v"))
    return _start(bench, frame.selectExpr("v.after.price"), "noop", "noop").start()


def _pandas_with_state(bench: Bench) -> Any:
    def keep(_key: Any, frames: Any, _state: Any) -> Any:
        yield from frames

    grouped = _events(bench).selectExpr("e.after.id", "e.op").groupBy("id")
    frame = grouped.applyInPandasWithState(
        keep, "id long, op string", "n long", "append", "NoTimeout"
    )
    return _start(bench, frame, "parquet", "state", path=bench.path("stream/state")).start()


def _to_foreach_batch(bench: Bench, write: Callable[[Any, int], None], name: str) -> Any:
    frame = (
        _events(bench)
        .where("e.op = 'c'")
        .selectExpr("e.after.id", "e.after.amount", "e.after.supplier.code")
    )
    writer = frame.writeStream.foreachBatch(write).queryName(name)
    return writer.option("checkpointLocation", bench.path(f"checkpoints/{name}")).start()


def _batch_append(_bench: Bench) -> Callable[[Any, int], None]:
    def write(batch: Any, _number: int) -> None:
        grouped = batch.groupBy("code").agg({"amount": "sum"})
        grouped.selectExpr("code as cust", "`sum(amount)` as total", "1L as n").writeTo(
            "lake.db.totals"
        ).append()

    return write


def _batch_merge(_bench: Bench) -> Callable[[Any, int], None]:
    def write(batch: Any, _number: int) -> None:
        batch.createOrReplaceTempView("arrived")
        batch.sparkSession.sql(
            "merge into lake.db.totals t using arrived a on t.cust = a.code "
            "when matched then update set total = a.amount "
            "when not matched then insert (cust, total, n) values (a.code, a.amount, a.id)"
        )

    return write


def _batch_join(bench: Bench) -> Callable[[Any, int], None]:
    def write(batch: Any, _number: int) -> None:
        customers = bench.spark.table("lake.db.customers").withColumnRenamed("id", "cid")
        joined = customers.join(batch, col("cid") == col("id"))
        joined.select("name", "amount").write.mode("append").parquet(bench.path("stream/batches"))

    return write


def _batch_elsewhere(bench: Bench) -> Callable[[Any, int], None]:
    def write(_batch: Any, number: int) -> None:
        made = bench.spark.createDataFrame([(number,)], "n long")
        made.write.mode("append").parquet(bench.path("stream/elsewhere"))

    return write


STREAMS: dict[str, Callable[[Bench], Any]] = {
    "avro_to_nowhere": _avro_to_console,
    "files_to_delta": _files_to_delta,
    "iceberg_to_iceberg": _iceberg_to_iceberg,
    "json_to_iceberg": _json_to_iceberg,
    "kafka_to_kafka": _kafka_to_kafka,
    "pandas_with_state": _pandas_with_state,
    "pass_through": _pass_through,
    "pattern": _pattern,
    "rate_to_memory": _rate_to_memory,
    "raw_to_iceberg": _raw_to_iceberg,
    "stream_static_join": _stream_static_join,
    "stream_stream_join": _stream_stream_join,
    "union_without_duplicates": _union_without_duplicates,
    "windowed_to_iceberg": _windowed_to_iceberg,
}

FOREACH_BATCH: dict[str, Callable[[Bench], Any]] = {
    "batch_append": lambda bench: _to_foreach_batch(bench, _batch_append(bench), "appended"),
    "batch_elsewhere": lambda bench: _to_foreach_batch(bench, _batch_elsewhere(bench), "elsewhere"),
    "batch_join": lambda bench: _to_foreach_batch(bench, _batch_join(bench), "joined_batch"),
    "batch_merge": lambda bench: _to_foreach_batch(bench, _batch_merge(bench), "merged"),
}
