"""Queries over known tables: what each kind of node and expression does to columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql.functions import col, udf

from spark_plans.session import Bench

INTO_FILES = "insert overwrite directory '{root}/out/{name}' using parquet "

SELECTS = {
    "projection": "select id, cust as customer, amount * 2 as twice, 1 as one, supplier "
    "from lake.db.orders",
    "casts": "select cast(id as int) as a, cast(cust as string) as b, cast(amount as string) as c "
    "from lake.db.orders",
    "filter_sort_limit": "select id from lake.db.orders where amount > 1 and cust like 'a%' "
    "order by ts limit 3",
    "group_having": "select cust, sum(amount * 2) as total, count(*) as n, count(id) as ids, "
    "avg(amount) filter (where id > 3) as mean from lake.db.orders group by cust "
    "having max(ts) is not null",
    "group_by_expression": "select upper(cust) as c, min(amount) as least from lake.db.orders "
    "group by upper(cust)",
    "inner_join": "select o.id, c.name, concat(o.cust, c.email) as both from lake.db.orders o "
    "join lake.db.customers c on o.cust = c.name and c.region <> 'x'",
    "outer_join_using": "select id, o.cust, c.email from lake.db.orders o "
    "full outer join lake.db.customers c using (id)",
    "semi_and_anti_join": "select id, cust from lake.db.orders o left semi join "
    "lake.db.customers c on o.id = c.id left anti join lake.db.totals t on o.cust = t.cust",
    "self_join": "select a.id, b.amount as other from lake.db.orders a join lake.db.orders b "
    "on a.id = b.id + 1",
    "cross_join": "select o.id, t.total from lake.db.orders o cross join lake.db.totals t",
    "union_all": "select id, cust as who from lake.db.orders union all "
    "select id, name from lake.db.customers",
    "union_distinct": "select cust from lake.db.orders union select name from lake.db.customers",
    "intersect_except": "select cust from lake.db.orders intersect select name from "
    "lake.db.customers except select cust from lake.db.totals",
    "distinct": "select distinct cust, id from lake.db.orders",
    "ctes": "with a as (select id, cust, amount from lake.db.orders where id > 1), "
    "b as (select cust, sum(amount) as s from a group by cust) "
    "select a.id, b.s, a2.amount from a join b on a.cust = b.cust join a a2 on a2.id = a.id",
    "recursive_cte": "with recursive up(id, who) as (select id, cust from lake.db.orders union all "
    "select up.id + 1, concat(up.who, c.name) from up join lake.db.customers c on c.id = up.id "
    "where up.id < 5) select id, who from up",
    "scalar_subquery": "select id, (select max(total) from lake.db.totals t where t.cust = o.cust) "
    "as best from lake.db.orders o",
    "exists_subquery": "select id from lake.db.orders o where exists "
    "(select 1 from lake.db.customers c where c.name = o.cust and c.region = 'north')",
    "in_subquery": "select id from lake.db.orders where cust in "
    "(select name from lake.db.customers where region = 'north')",
    "lateral_join": "select o.id, l.top from lake.db.orders o, lateral (select max(t.total) as top "
    "from lake.db.totals t where t.cust = o.cust) l",
    "lateral_view": "select id, tag from lake.db.orders lateral view explode(tags) x as tag",
    "windows": "select id, rank() over (partition by cust order by ts) as place, "
    "sum(amount) over (partition by cust) as running, lag(amount) over (order by ts) as previous "
    "from lake.db.orders",
    "window_over_aggregate": "select cust, sum(amount) as total, "
    "row_number() over (order by sum(amount) desc) as place from lake.db.orders group by cust",
    "case_and_coalesce": "select case when amount > 10 then cust when id = 1 then payload else 'x' "
    "end as label, if(id > 1, amount, 0) as some, coalesce(cust, payload, 'y') as first, "
    "nvl(cust, payload) as second from lake.db.orders",
    "explode_structs": "select id, item.sku, item.price * 2 as price from "
    "(select id, explode(items) as item from lake.db.orders)",
    "inline_and_posexplode": "select pos, tag, sku, price from lake.db.orders "
    "lateral view posexplode(tags) t as pos, tag lateral view inline(items) i as sku, price",
    "struct_fields": "select supplier.code as code, items.price as prices, items[0].sku as first, "
    "named_struct('a', id, 'b', supplier.name) as built from lake.db.orders",
    "field_of_built_struct": "select s.a, s.b.c from (select named_struct('a', id, 'b', "
    "named_struct('c', upper(cust))) as s from lake.db.orders)",
    "higher_order": "select transform(items, i -> i.price * 2) as doubled, "
    "filter(tags, t -> t <> cust) as others from lake.db.orders",
    "rollup": "select cust, supplier.code as code, sum(amount) as total, grouping(cust) as g "
    "from lake.db.orders group by rollup (cust, supplier.code)",
    "pivot": "select * from (select cust, amount, payload from lake.db.orders) "
    "pivot (sum(amount) as total, max(amount) as most for payload in ('p' as p, 'q' as q))",
    "unpivot": "select * from (select id, cust, payload from lake.db.orders) "
    "unpivot (word for source in (cust, payload))",
    "stack": "select id, stack(2, 'c', cust, 'p', payload) as (name, word) from lake.db.orders",
    "masking": "select sha2(cust, 256) as a, md5(payload) as b, hash(cust, id) as c, "
    "crc32(cust) as d, mask(payload) as e, count(cust) over () as f, "
    "xxhash64(id) as g, sha1(cust) as h from lake.db.orders",
    "picking_aggregates": "select max_by(supplier, ts).name as newest, "
    "max(struct(ts, id)).id as m, "
    "first(cust) as f, collect_list(amount) as every, count(if(id > 1, 1, null)) as some "
    "from lake.db.orders",
    "json_in_a_column": "select from_json(payload, 'a int, b struct<c: string>').b.c as c, "
    "get_json_object(payload, '$.x') as x, to_json(struct(id, cust)) as text from lake.db.orders",
    "values_and_ranges": "select r.id, v.word from range(3) r join values (1, 'a') v(n, word) "
    "on r.id = v.n",
    "named_window_and_ntile": "select id, ntile(4) over w as quarter, "
    "first_value(cust) over w as c "
    "from lake.db.orders window w as (partition by supplier.code order by amount)",
    "date_arithmetic": "select date_trunc('day', ts) as day, datediff(ts, '2026-01-01') as days, "
    "current_timestamp() as now from lake.db.orders",
    "metadata_table": "select committed_at as at, operation from lake.db.orders.snapshots",
    "time_windows": "select window(ts, '1 hour').start as hour, sum(amount) as total "
    "from lake.db.orders group by window(ts, '1 hour')",
}


def _select(name: str) -> Callable[[Bench], Any]:
    def run(bench: Bench) -> Any:
        return bench.sql(INTO_FILES.format(root=bench.root, name=name) + SELECTS[name])

    return run


def _temporary_view_of_cached(bench: Bench) -> None:
    orders = bench.spark.table("lake.db.orders").where("amount > 1").cache()
    orders.createOrReplaceTempView("dear_orders")
    bench.sql("select id, upper(cust) as c from dear_orders").write.mode("overwrite").parquet(
        bench.path("out/view")
    )
    orders.unpersist()


def _python_function(bench: Bench) -> None:
    shout = udf(lambda word, number: f"{word}{number}", "string")
    orders = bench.spark.table("lake.db.orders").select(
        "id", shout(col("cust"), "amount").alias("s")
    )
    orders.write.mode("overwrite").parquet(bench.path("out/udf"))


def _dropped_duplicates(bench: Bench) -> None:
    orders = bench.spark.table("lake.db.orders").select("id", "cust", "amount")
    kept = orders.dropDuplicates(["cust"]).sample(0.5).repartition(2, "id").hint("broadcast")
    kept.write.mode("overwrite").parquet(bench.path("out/duplicates"))


def _rdd_round_trip(bench: Bench) -> None:
    orders = bench.spark.table("lake.db.orders").select("id", "cust")
    again = orders.rdd.map(lambda row: (row.id, row.cust)).toDF(["id", "cust"])
    joined = again.join(bench.spark.table("lake.db.customers").select("id", "email"), "id")
    joined.write.mode("overwrite").parquet(bench.path("out/rdd"))


def _pandas_function(bench: Bench) -> None:
    orders = bench.spark.table("lake.db.orders").select("id", "cust").where("id > 0")
    seen = orders.mapInPandas(lambda frames: frames, "id long, cust string")
    seen.selectExpr("id + 1 as id", "cust", "'x' as fixed").write.mode("overwrite").parquet(
        bench.path("out/pandas")
    )


def _grouped_pandas(bench: Bench) -> None:
    orders = bench.spark.table("lake.db.orders").select("id", "cust")
    grouped = orders.groupBy("cust").applyInPandas(lambda frame: frame, "id long, cust string")
    grouped.write.mode("overwrite").parquet(bench.path("out/grouped"))


BATCH: dict[str, Callable[[Bench], Any]] = {
    **{name: _select(name) for name in SELECTS},
    "dropped_duplicates": _dropped_duplicates,
    "grouped_pandas": _grouped_pandas,
    "pandas_function": _pandas_function,
    "python_function": _python_function,
    "rdd_round_trip": _rdd_round_trip,
    "temporary_view_of_cached": _temporary_view_of_cached,
}
