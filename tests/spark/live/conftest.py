"""One Spark session with a broker and a database beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import Library
from mainstem.lab.services.postgres import PostgresServer
from spark_plans.session import Bench, make_tables, make_topics, start_session


@pytest.fixture(scope="session")
def bench(
    library: Library,
    kafka: KafkaBroker,
    postgres_server: PostgresServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Bench]:
    root = tmp_path_factory.mktemp("plans")
    make_topics(kafka.bootstrap)
    url = f"jdbc:postgresql://{postgres_server.host}:{postgres_server.port}/shop"
    bench = Bench(start_session(library, root), root, kafka.bootstrap, url)
    make_tables(bench.spark)
    yield bench
    bench.spark.stop()
