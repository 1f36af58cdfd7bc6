"""One Spark session for all tests of this folder, and what a tracked application tells."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import Library
from mainstem.lab.services.postgres import PostgresServer
from mainstem.lab.services.spark import spark_environment
from mainstem.spark import Tracker, track
from spark.told import Event, events_in
from spark_plans.session import Bench, make_tables, make_topics, start_session


@pytest.fixture(scope="session")
def spark_variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that runs Spark."""
    made = spark_environment(tmp_path_factory.mktemp("java"), os.environ)
    return {**os.environ, **made}


@pytest.fixture(scope="session")
def bench(
    library: Library,
    kafka: KafkaBroker,
    postgres_server: PostgresServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Bench]:
    """One Spark session with a broker and a database beside it."""
    root = tmp_path_factory.mktemp("plans")
    make_topics(kafka.bootstrap)
    url = f"jdbc:postgresql://{postgres_server.host}:{postgres_server.port}/shop"
    bench = Bench(start_session(library, root), root, kafka.bootstrap, url)
    make_tables(bench.spark)
    yield bench
    bench.spark.stop()


@pytest.fixture
def session(bench: Bench) -> Any:
    """The one session, with Iceberg in the catalog ``lake``."""
    return bench.spark


class Tracked:
    """A tracked session, and what it told so far."""

    def __init__(self, tracker: Tracker, events: Path, spark: Any) -> None:
        self.tracker = tracker
        self._events = events
        self._spark = spark

    def end(self) -> list[Event]:
        """Stop tracking, not the session; all that was told."""
        self.tracker.stop()
        return self.told()

    def told(self) -> list[Event]:
        """All that was delivered so far."""
        return events_in(self._events)


@pytest.fixture
def tracked(session: Any, tmp_path: Path) -> Iterator[Callable[..., Tracked]]:
    """Tracks the session under a name of the test's own; ended with the test."""
    begun: list[Tracker] = []

    def begin(**arguments: Any) -> Tracked:
        events = tmp_path / "events"
        destination = {"type": "file", "log_file_path": str(events), "append": True}
        tracker = track(
            session,
            **{
                "app": "app",
                "namespace": "test",
                "destination": destination,
                "heartbeat": 3600,
                "outbox": tmp_path / "box.db",
                **arguments,
            },
        )
        assert tracker.is_open
        begun.append(tracker)
        return Tracked(tracker, events, session)

    yield begin
    for tracker in begun:
        tracker.stop()


@pytest.fixture(scope="session")
def topics(kafka: KafkaBroker) -> Callable[..., None]:
    """Makes topics and puts JSON records into them."""

    def fill(*names: str, records: int = 3) -> None:
        admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
        for made in admin.create_topics([NewTopic(name, 1, 1) for name in names]).values():
            made.result()
        producer = Producer({"bootstrap.servers": kafka.bootstrap})
        for name in names:
            for number in range(records):
                producer.produce(name, value=b'{"id": %d, "amount": 2.5}' % number)
        producer.flush()

    return fill
