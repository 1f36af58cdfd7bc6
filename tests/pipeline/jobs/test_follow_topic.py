"""The tables that a followed topic gives are those of a build over its whole range."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import orjson
import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from pyspark.sql import SparkSession

from mainstem.clock import now
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.names.identity import NO_ALIASES
from mainstem.outbox.destinations.kafka import KafkaDestination
from mainstem.outbox.model import StoredEvent
from mainstem.pipeline.jobs.build import BATCH, Built, build
from mainstem.pipeline.jobs.follow import Pace, follow, topic
from mainstem.pipeline.jobs.sources.kafka import KafkaSource
from mainstem.pipeline.jobs.target import ParquetTarget
from pipeline.contents import contents
from pipeline.logs import disordered

pytestmark = [pytest.mark.spark, pytest.mark.lab]
TOPIC = "lineage-followed"
AT_ONCE = 60


def deliver(kafka: KafkaBroker, lines: list[str]) -> None:
    """Through the destination that a watcher has."""
    destination = KafkaDestination("told", TOPIC, {"bootstrap.servers": kafka.bootstrap})
    for number, line in enumerate(lines):
        run = orjson.loads(line)["run"]["runId"]
        destination.deliver(StoredEvent(number, run, line.encode(), now()))
    destination.close()


def test_a_topic_is_followed(spark: SparkSession, kafka: KafkaBroker, tmp_path: Path) -> None:
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    admin.create_topics([NewTopic(TOPIC, 2, 1)])[TOPIC].result()
    deliver(kafka, [line for line in disordered() if line.endswith("}")])
    followed = ParquetTarget(spark, str(tmp_path / "followed"))
    told: list[tuple[int, Built]] = []
    query = follow(
        spark,
        topic(spark, kafka.bootstrap, TOPIC, {}, AT_ONCE),
        followed,
        checkpoint=str(tmp_path / "checkpoint"),
        aliases=NO_ALIASES,
        pace=Pace(every=0, once=True, compact_every=2),
        told=lambda number, built: told.append((number, built)),
    )
    query.awaitTermination()
    assert len(told) > 1
    (name,) = [one for one in followed.ledger.consumed if one.startswith(BATCH)]
    assert str(UUID(name.removeprefix(BATCH))) == str(query.id)
    scratch = ParquetTarget(spark, str(tmp_path / "scratch"))
    build(spark, KafkaSource(spark, kafka.bootstrap, TOPIC, {}), scratch, aliases=NO_ALIASES)
    expected, found = contents(scratch), contents(followed)
    assert expected["event"]
    for table, rows in expected.items():
        assert found[table] == rows, table
