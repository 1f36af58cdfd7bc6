"""The queries of the golden plans, run: this Spark still says what the kept plans say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson
import pytest

from mainstem.spark.captured import CapturedPlan, from_json, to_json
from mainstem.spark.plan import lineage_of, stream_columns
from spark_plans.expected import expectations, expected, told
from spark_plans.queries import FOREACH_BATCH, STREAMS, WRITES
from spark_plans.session import Bench, captured_start, captured_writes
from spark_plans.stored import anonymous

pytestmark = [pytest.mark.spark, pytest.mark.lab]
EXPECTED = expectations()
ALWAYS = {
    "batch_merge",
    "delete_on_read",
    "delta_merge",
    "grouped_pandas",
    "insert_struct",
    "jdbc_query",
    "jdbc_write",
    "json_to_iceberg",
    "merge_by_source",
    "merge_copy_on_write",
    "merge_into_of_frame",
    "merge_on_read",
    "pandas_function",
    "pandas_with_state",
    "recursive_cte",
    "update_copy_on_write",
    "windowed_to_iceberg",
}
"""Those whose plans Spark rewrites most; the hundred others are run in the long tier alone."""


def _each(queries: Iterable[str]) -> list[Any]:
    return [
        pytest.param(name, marks=() if name in ALWAYS else pytest.mark.soak) for name in queries
    ]


@pytest.fixture(scope="module", autouse=True)
def people(bench: Bench) -> None:
    """The table that queries of the database read, whichever of them are run."""
    with captured_writes(bench.spark):  # heard of by the time that the first query is run
        WRITES["jdbc_write"](bench)


def test_the_queries_that_always_run_are_there() -> None:
    assert {*WRITES, *STREAMS, *FOREACH_BATCH} >= ALWAYS


@pytest.mark.parametrize("name", _each(WRITES))
def test_write(name: str, bench: Bench) -> None:
    with captured_writes(bench.spark) as writes:
        WRITES[name](bench)
    (write,) = (told(lineage_of(_anonymous(each, bench)), symlinks=_links(name)) for each in writes)
    assert write == expected(EXPECTED[name])


@pytest.mark.parametrize("name", _each(STREAMS))
def test_stream(name: str, bench: Bench) -> None:
    query = STREAMS[name](bench)
    captured = _anonymous(captured_start(query), bench)
    query.stop()
    assert told(lineage_of(captured)) == expected(EXPECTED[name])


@pytest.mark.parametrize("name", _each(FOREACH_BATCH))
def test_write_inside_foreach_batch(name: str, bench: Bench) -> None:
    with captured_writes(bench.spark) as writes:
        query = FOREACH_BATCH[name](bench)
        stream = stream_columns(_anonymous(captured_start(query), bench))
        query.processAllAvailable()
        query.stop()
    assert query.exception() is None
    lineages = [lineage_of(_anonymous(write, bench), stream) for write in writes]
    assert [told(each) for each in lineages] == [expected(EXPECTED[name])]


def _links(name: str) -> bool:
    return "symlink" in EXPECTED[name]


def _anonymous(captured: CapturedPlan, bench: Bench) -> CapturedPlan:
    data = to_json(captured)
    plan = data.pop("plan")
    rest = orjson.loads(anonymous(orjson.dumps(data).decode(), bench))
    return from_json({**rest, "plan": plan})
