"""Every way of changing a table: append, overwrite, create, MERGE, UPDATE, DELETE."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql.functions import col

from spark_plans.session import Bench

MERGE = """merge into {table} t
using (select cust, sum(amount) as s from lake.db.orders where id > 0 group by cust) o
on t.cust = o.cust
when matched and o.s > 10 then update set total = o.s + t.total
when matched then delete
when not matched then insert (cust, total, n) values (o.cust, o.s, 0)"""
STATEMENTS = {
    "insert_into": "insert into lake.db.totals select cust, sum(amount), count(*) "
    "from lake.db.orders where id > 1 group by cust",
    "insert_overwrite": "insert overwrite lake.db.totals select name, id * 1.5D, id "
    "from lake.db.customers",
    "insert_columns_by_name": "insert into lake.db.totals (n, cust) select id, name "
    "from lake.db.customers",
    "create_table_as_select": "create table lake.db.made using iceberg as "
    "select upper(cust) as c, sum(amount) as t from lake.db.orders group by upper(cust)",
    "replace_table_as_select": "create or replace table lake.db.made_again using iceberg as "
    "select id as number, supplier from lake.db.orders",
    "insert_struct": "insert into lake.db.nested select id, supplier from lake.db.orders",
    "merge_copy_on_write": MERGE.format(table="lake.db.totals"),
    "merge_on_read": MERGE.format(table="lake.db.totals_mor"),
    "merge_by_source": "merge into lake.db.totals t using lake.db.totals_mor o on t.cust = o.cust "
    "when matched then update set * when not matched then insert * "
    "when not matched by source and t.n > 5 then update set total = 0",
    "update_copy_on_write": "update lake.db.totals set total = total * 2, n = 0 where cust = 'x'",
    "update_on_read": "update lake.db.totals_mor set total = total * 2, n = 0 where cust = 'x'",
    "delete_copy_on_write": "delete from lake.db.totals where total > 3 and cust in "
    "(select cust from lake.db.orders)",
    "delete_on_read": "delete from lake.db.totals_mor where total > 3 and cust in "
    "(select cust from lake.db.orders)",
}


def _statement(name: str) -> Callable[[Bench], Any]:
    return lambda bench: bench.sql(STATEMENTS[name])


def _append_by_name(bench: Bench) -> None:
    customers = bench.spark.table("lake.db.customers")
    customers.selectExpr("id as n", "double(id) as total", "name as cust").writeTo(
        "lake.db.totals"
    ).append()


def _overwrite_partitions(bench: Bench) -> None:
    customers = bench.spark.table("lake.db.customers")
    customers.selectExpr("name as cust", "double(id) as total", "id as n").writeTo(
        "lake.db.totals"
    ).overwritePartitions()


def _merge_into(bench: Bench) -> None:
    new = bench.spark.table("lake.db.customers").selectExpr("name", "id").alias("s")
    new.mergeInto(
        "lake.db.totals", col("lake.db.totals.cust") == col("s.name")
    ).whenMatched().update({"n": col("s.id")}).whenNotMatched().insert(
        {"cust": col("s.name"), "n": col("s.id")}
    ).merge()


def _append_with_writer(bench: Bench) -> None:
    customers = bench.spark.table("lake.db.customers")
    customers.selectExpr("name as cust", "double(id) as total", "id as n").write.format(
        "iceberg"
    ).mode("append").save("lake.db.totals")


CHANGES: dict[str, Callable[[Bench], Any]] = {
    **{name: _statement(name) for name in STATEMENTS},
    "append_by_name": _append_by_name,
    "append_with_writer": _append_with_writer,
    "merge_into_of_frame": _merge_into,
    "overwrite_partitions": _overwrite_partitions,
}
