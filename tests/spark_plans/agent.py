"""The batch queries that the OpenLineage agent's recorded events are about, as they were run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spark_plans.session import Bench


def _make_orders(bench: Bench) -> None:
    source = bench.root / "agent" / "in.json"
    source.parent.mkdir(exist_ok=True)
    source.write_text('{"id": 1, "cust": "c1", "amount": 1.5}\n')
    rows = bench.spark.read.schema("id long, cust string, amount double, ts timestamp").json(
        str(source)
    )
    rows.writeTo("lake.agent.orders").using("iceberg").createOrReplace()


def _make_totals(bench: Bench) -> None:
    totals = bench.sql(
        "select cust, sum(amount) as total, count(*) as n from lake.agent.orders group by cust"
    )
    totals.writeTo("lake.agent.cust_totals").using("iceberg").createOrReplace()


def _join_to_parquet(bench: Bench) -> None:
    joined = bench.sql(
        "select t.cust, t.total, o.amount * 2 as amt2 from lake.agent.orders o "
        "join lake.agent.cust_totals t on o.cust = t.cust"
    )
    joined.write.mode("overwrite").parquet(bench.path("agent/out_parquet"))


def _parquet_to_parquet(bench: Bench) -> None:
    rows = bench.spark.read.parquet(bench.path("agent/out_parquet"))
    rows.groupBy("cust").agg({"amt2": "max"}).withColumnRenamed("max(amt2)", "m").write.mode(
        "overwrite"
    ).parquet(bench.path("agent/out2"))


AGENT: dict[str, Callable[[Bench], Any]] = {
    "overwrite_by_expression.lake_db_orders": _make_orders,
    "overwrite_by_expression.lake_db_cust_totals": _make_totals,
    "append_data.lake_db_cust_totals": lambda bench: bench.sql(
        "insert into lake.agent.cust_totals select cust, amount, 1 from lake.agent.orders "
        "where id < 10"
    ),
    "replace_data.lake_db_cust_totals": lambda bench: bench.sql(
        "merge into lake.agent.cust_totals t using (select cust, max(amount) total, count(*) n "
        "from lake.agent.orders where id < 100 group by cust) s on t.cust = s.cust "
        "when matched then update set t.total = s.total when not matched then insert *"
    ),
    "adaptive_spark_plan.wh-413_out_parquet": _join_to_parquet,
    "adaptive_spark_plan.wh-413_out2": _parquet_to_parquet,
    "append_data.lake_db_big": lambda bench: bench.sql(
        "create table lake.agent.big using iceberg as select upper(cust) as c, sum(amount) as t "
        "from lake.agent.orders group by 1"
    ),
    "replace_data.lake_db_big": lambda bench: bench.sql(
        "delete from lake.agent.big where c = 'C1'"
    ),
}
"""By the end of the agent's job name; in this order."""
