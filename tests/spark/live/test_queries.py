"""The queries of the golden plans, run: this Spark still says what the kept plans say."""

from __future__ import annotations

import orjson
import pytest

from mainstem.spark.captured import CapturedPlan, from_json, to_json
from mainstem.spark.plan import lineage_of, stream_columns
from spark_plans.expected import expectations, expected, told
from spark_plans.queries import FOREACH_BATCH, STREAMS, WRITES
from spark_plans.session import Bench, captured_start, captured_writes
from spark_plans.stored import anonymous

# A hundred queries, kept as plans that every check replays: running them is for the long tier.
pytestmark = [pytest.mark.spark, pytest.mark.soak]
EXPECTED = expectations()
NEEDS_PANDAS = {"grouped_pandas", "pandas_function", "pandas_with_state"}


@pytest.fixture(autouse=True)
def _pandas_where_it_is_needed(request: pytest.FixtureRequest) -> None:
    if request.node.callspec.params["name"] in NEEDS_PANDAS:
        pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")


@pytest.mark.parametrize("name", WRITES)
def test_write(name: str, bench: Bench) -> None:
    with captured_writes(bench.spark) as writes:
        WRITES[name](bench)
    (write,) = (told(lineage_of(_anonymous(each, bench)), symlinks=_links(name)) for each in writes)
    assert write == expected(EXPECTED[name])


@pytest.mark.parametrize("name", STREAMS)
def test_stream(name: str, bench: Bench) -> None:
    query = STREAMS[name](bench)
    captured = _anonymous(captured_start(query), bench)
    query.stop()
    assert told(lineage_of(captured)) == expected(EXPECTED[name])


@pytest.mark.parametrize("name", FOREACH_BATCH)
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
