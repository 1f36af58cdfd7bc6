"""Lines to typed rows of several tables, in a worker that may know how others were spelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count

import orjson
import pytest
from chispa import assert_df_equality
from pyspark.sql import DataFrame, SparkSession

from mainstem.pipeline.states import SPELLING
from mainstem.pipeline.steps import reading
from mainstem.pipeline.steps.parse import parse, part_of
from mainstem.pipeline.tables import EVENT, QUARANTINE
from serve_fixtures import run_event

pytestmark = pytest.mark.spark
KNOWN = run_event(inputs=["a"], outputs=["b"], job="known")
NEW = run_event(inputs=["a"], outputs=["c"], job="new")


@pytest.fixture
def lines(spark: SparkSession, place: str) -> Callable[..., DataFrame]:
    """Events, each spelled as JSON, and bytes as they are; in a file, whose size Spark knows."""
    numbers = count()

    def written(*events: object) -> DataFrame:
        raw = [one if isinstance(one, bytes) else orjson.dumps(one) for one in events]
        rows = [(one, f"line {number}") for number, one in enumerate(raw)]
        directory = f"{place}/{next(numbers)}"
        spark.createDataFrame(rows, "value binary, origin string").coalesce(1).write.parquet(
            directory
        )
        return spark.read.parquet(directory)

    return written


def parts(parsed: DataFrame) -> Counter[str]:
    return Counter(row.part for row in parsed.select("part").collect())


def test_what_was_understood_before_is_not_told_again(lines: Callable[..., DataFrame]) -> None:
    spellings = part_of(parse(lines(KNOWN)), SPELLING).localCheckpoint()
    again = {**KNOWN, "eventTime": "2026-03-01T00:00:09Z", "eventType": "COMPLETE"}
    assert parts(parse(lines(again), spellings)) == {"event": 1}
    both = parse(lines(again, NEW, b"no JSON"), spellings)
    told = {"content": 1, "shape": 1, "name": 2, "spelling": 1}
    assert parts(both) == {"event": 2, "quarantine": 1, **told}
    columns = [one for one in EVENT.names if one != "raw"]
    from_scratch = parse(lines(again, NEW, b"no JSON"))
    for table, names in ((EVENT, columns), (QUARANTINE, QUARANTINE.names)):
        assert_df_equality(
            part_of(both, table).select(*names),
            part_of(from_scratch, table).select(*names),
            ignore_row_order=True,
        )


def test_another_version_of_our_own_understands_for_itself(
    spark: SparkSession, lines: Callable[..., DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        # Read here: Spark's workers have the true version.
        patched.setattr(reading, "__version__", "0.0.1")
        reader = reading.Reader()
        reader.read(orjson.dumps(KNOWN))
    spellings = spark.createDataFrame(reader.contents.told.spellings, SPELLING.schema())
    assert parts(parse(lines(KNOWN), spellings))["spelling"] == 1


def test_lines_that_cannot_be_read_tell_where_they_lay_and_why(
    lines: Callable[..., DataFrame],
) -> None:
    refused = part_of(parse(lines(KNOWN, b"\xff", b"[]")), QUARANTINE).collect()
    assert [(one.origin, one.raw) for one in refused] == [("line 1", "�"), ("line 2", "[]")]
    assert all(one.reason for one in refused)
