"""Progress as Spark 4.1.3 tells it; positions are copied only in forms that are known."""

from __future__ import annotations

import orjson
import pytest

from mainstem.spark.progress import SourceProgress, read_progress, topics_of

FROM_KAFKA = {
    "id": "6a2c",
    "runId": "b0a1",
    "name": "orders",
    "timestamp": "2026-11-16T04:00:00.000Z",
    "batchId": 4,
    "numInputRows": 12,
    "durationMs": {"addBatch": 12},
    "eventTime": {"watermark": "2026-11-16T03:59:00.000Z"},
    "stateOperators": [],
    "sources": [
        {
            "description": "KafkaV2[SubscribePattern[orders.*]]",
            "startOffset": None,
            "endOffset": {"orders.eu": {"0": 7, "1": 9}, "orders.us": {"0": 3}},
            "numInputRows": 12,
        }
    ],
    "sink": {"description": "lake.db.orders", "numOutputRows": 12},
}


def test_kafka() -> None:
    progress = read_progress(orjson.dumps(FROM_KAFKA).decode())
    assert (progress.run_id, progress.batch_id, progress.output_rows) == ("b0a1", 4, 12)
    assert progress.watermark == "2026-11-16T03:59:00.000Z"
    assert topics_of(progress) == {"orders.eu", "orders.us"}


def test_inside_the_event_that_brought_it() -> None:
    event = orjson.dumps({"progress": FROM_KAFKA}).decode()
    assert read_progress(event) == read_progress(orjson.dumps(FROM_KAFKA).decode())


def test_no_watermark_yet() -> None:
    unseen = {**FROM_KAFKA, "eventTime": {"watermark": "1970-01-01T00:00:00.000Z"}}
    assert read_progress(orjson.dumps(unseen).decode()).watermark is None


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ({"t": {"0": 1}}, SourceProgress(5, offsets={"t": {"0": 1}})),
        ({"version": 1, "snapshot_id": 6782621230939551696, "position": 1},
         SourceProgress(5, snapshot_id=6782621230939551696)),
        ({"logOffset": 3}, SourceProgress(5, position=3)),
        (17, SourceProgress(5, position=17)),
        (None, SourceProgress(5)),
        ("https://user:secret@queue/shard-7", SourceProgress(5)),
        ({"shard": {"token": "s3cr3t"}}, SourceProgress(5)),
        ({}, SourceProgress(5)),
    ],
)  # fmt: skip
def test_positions(end: object, expected: SourceProgress) -> None:
    source = {"endOffset": end, "numInputRows": 5}
    told = {"runId": "r", "batchId": 0, "sources": [source], "sink": {"numOutputRows": -1}}
    progress = read_progress(orjson.dumps(told).decode())
    assert progress.sources == (expected,)
    assert progress.output_rows is None, "-1 is unknown, and not none"
