"""Random queries, and a second opinion: change one input column and see what changes.

What changes must have been told; and a column told to be a copy of another must follow it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import functions

from mainstem.spark.capture import capture_plan
from mainstem.spark.captured import Place
from mainstem.spark.lineage import QueryLineage
from mainstem.spark.plan import lineage_of
from spark_plans.session import Bench

pytestmark = pytest.mark.spark
LEFT = {"a": [1, 2, 3, 4, 5, 6], "b": [3, 1, 2, 3, 1, 2], "c": [7, 8, 7, 8, 9, 9]}
RIGHT = {"k": [1, 2, 3, 4], "d": [5, 6, 7, 8]}
FAR = 1001
"""Odd and large: it changes the parity of every value, its order, and its partners in a join."""

CHANGES: Mapping[str, Callable[[int], int]] = {
    "shifted": lambda value: value + FAR,
    # A shift leaves groups as they are, so some values must become the same.
    "halved": lambda value: value // 2 + FAR,
}


class Step(NamedTuple):
    kind: str
    first: int
    second: int


class Tables(NamedTuple):
    """The two tables as they are, and with one column changed, by the way and the column's name."""

    plain: tuple[Any, Any]
    changed: Mapping[str, Mapping[str, tuple[Any, Any]]]


steps = st.lists(
    st.builds(
        Step,
        st.sampled_from(
            ["select", "filter", "group", "join", "case", "window", "distinct", "union"]
        ),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def tables(bench: Bench) -> Tables:
    def table(name: str, columns: Mapping[str, list[int]]) -> Any:
        rows = list(zip(*columns.values(), strict=True))
        frame = bench.spark.createDataFrame(rows, ", ".join(f"{each} long" for each in columns))
        frame.coalesce(1).write.mode("overwrite").parquet(bench.path(f"random/{name}"))
        return bench.spark.read.parquet(bench.path(f"random/{name}"))

    def changed(columns: Mapping[str, list[int]], name: str, way: str) -> dict[str, list[int]]:
        return {**columns, name: [CHANGES[way](value) for value in columns[name]]}

    left, right = table("left", LEFT), table("right", RIGHT)
    ways = {
        way: {
            **{one: (table(f"{way}_{one}", changed(LEFT, one, way)), right) for one in LEFT},
            **{one: (left, table(f"{way}_{one}", changed(RIGHT, one, way))) for one in RIGHT},
        }
        for way in CHANGES
    }
    return Tables((left, right), ways)


@given(chain=steps, way=st.sampled_from(sorted(CHANGES)))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_changes_was_told(chain: list[Step], way: str, bench: Bench, tables: Tables) -> None:
    lineage = _lineage(_query(chain, tables.plain), bench)
    before = _columns(_query(chain, tables.plain))
    (key,) = lineage.columns
    for name, pair in tables.changed[way].items():
        after = _columns(_query(chain, pair))
        decides = name in {source.field for source in lineage.indirect[key]}
        for column, values in after.items():
            sources = lineage.columns[key][column]
            told = decides or name in {source.field for source in sources}
            assert told or values == before[column], (name, column)
            copies = {source.field for source in sources if source.subtype == "IDENTITY"} == {name}
            if copies and not decides and len(sources) == 1 and set(before[column]) - {None}:
                assert values != before[column], (name, column)


@given(chain=steps)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_source_is_a_column_of_a_leaf(
    chain: list[Step], bench: Bench, tables: Tables
) -> None:
    lineage = _lineage(_query(chain, tables.plain), bench)
    leaves = {each.key: {field.name for field in each.fields} for each in lineage.inputs}
    (key,) = lineage.columns
    for sources in (*lineage.columns[key].values(), lineage.indirect[key]):
        for source in sources:
            assert source.field in leaves[source.dataset]


def _query(chain: list[Step], pair: tuple[Any, Any]) -> Any:
    left, right = pair
    return reduce(lambda frame, step: _STEPS[step.kind](frame, right, step), chain, left)


def _pick(frame: Any, at: int) -> Any:
    return functions.col(frame.columns[at % len(frame.columns)])


def _select(frame: Any, _right: Any, step: Step) -> Any:
    one, other = _pick(frame, step.first), _pick(frame, step.second)
    return frame.select(one.alias("x"), (one + other * 2).alias("y"), functions.lit(4).alias("z"))


def _filter(frame: Any, _right: Any, step: Step) -> Any:
    return frame.where(_pick(frame, step.first) % 2 == step.second % 2)


def _group(frame: Any, _right: Any, step: Step) -> Any:
    key, measured = _pick(frame, step.first), _pick(frame, step.second)
    grouped = frame.groupBy(key.alias("g"))
    return grouped.agg(functions.sum(measured).alias("s"), functions.count("*").alias("n"))


def _join(frame: Any, right: Any, step: Step) -> Any:
    if set(frame.columns) & set(right.columns):
        return frame
    kind = ("inner", "left", "left_semi", "left_anti")[step.second % 4]
    return frame.join(right, _pick(frame, step.first) == functions.col("k"), kind)


def _case(frame: Any, _right: Any, step: Step) -> Any:
    one, other = _pick(frame, step.first), _pick(frame, step.second)
    chosen = functions.when(one % 2 == 0, other).otherwise(functions.coalesce(one, other))
    return frame.withColumn(frame.columns[0], chosen)


def _window(frame: Any, _right: Any, step: Step) -> Any:
    one, other = frame.columns[step.first % len(frame.columns)], _pick(frame, step.second)
    total = functions.expr(f"sum({one}) over (partition by {one} % 3)")
    return frame.withColumn(frame.columns[0], total).withColumn(frame.columns[-1], other)


def _distinct(frame: Any, _right: Any, step: Step) -> Any:
    return frame.select(_pick(frame, step.first).alias("u")).distinct()


def _union(frame: Any, _right: Any, _step: Step) -> Any:
    return frame.union(frame.select([functions.col(each) for each in reversed(frame.columns)]))


_STEPS: Mapping[str, Callable[[Any, Any, Step], Any]] = {
    "case": _case,
    "distinct": _distinct,
    "filter": _filter,
    "group": _group,
    "join": _join,
    "select": _select,
    "union": _union,
    "window": _window,
}


def _columns(frame: Any) -> dict[str, Counter[Any]]:
    rows = frame.collect()
    return {name: Counter(row[at] for row in rows) for at, name in enumerate(frame.columns)}


def _lineage(frame: Any, bench: Bench) -> QueryLineage:
    captured = capture_plan(frame._jdf.queryExecution().analyzed(), bench.spark._jsparkSession)
    somewhere = Place("HadoopFsRelation", locations=("file:/somewhere",))
    return lineage_of(replace(captured, target=somewhere, mode="Append"))
