from __future__ import annotations

import pytest

from mainstem.spark.job_names import JobNames
from mainstem.spark.lineage import Dataset, QueryLineage

TABLE = Dataset("file", "/lake/db/t", symlinks=(("file:/lake", "db.t", "TABLE"),))
FILES, OTHER = Dataset("file", "/data/out"), Dataset("file", "/else/out")
TOPIC = Dataset("kafka://b:9092", "orders")


@pytest.mark.parametrize(
    ("query", "output", "sink", "expected"),
    [
        ("enrich", TABLE, "SparkTable", "app.enrich"),
        (None, TABLE, "SparkTable", "app.db.t"),
        (None, FILES, "FileStreamSink", "app.out"),
        (None, TOPIC, "KafkaTable", "app.orders"),
        (None, None, "ForeachBatchSink", "app.foreachBatch"),
        (None, None, "NoopTable", "app.noop"),
        (None, None, "Sink", "app.sink"),
    ],
)
def test_stream(query: str | None, output: Dataset | None, sink: str, expected: str) -> None:
    lineage = QueryLineage((TOPIC,), (output,) if output else ())
    assert JobNames("app").of_stream(query, lineage, sink) == expected


def test_other_work_under_one_name_is_numbered_and_the_same_work_is_not() -> None:
    names = JobNames("app")
    writes = [QueryLineage((one,), (TABLE,), mode="append") for one in (TOPIC, FILES, TOPIC)]
    assert [names.of_action(one) for one in writes] == [
        "app.append.db.t",
        "app.append.db.t.2",
        "app.append.db.t",
    ]
    two = [QueryLineage((TOPIC,), (one,), mode="append") for one in (FILES, OTHER)]
    assert [names.of_action(one) for one in two] == ["app.append.out", "app.append.out.2"]


def test_a_read_and_a_step() -> None:
    names = JobNames("app")
    assert names.of_action(QueryLineage((TOPIC,), ())) == "app.read.orders"
    assert names.of_step("report") == "app.report"
