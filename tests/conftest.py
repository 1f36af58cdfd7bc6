"""Real services for tests: one set per run, each started when a test first asks for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import DEBEZIUM_JDBC, DEBEZIUM_POSTGRES, KAFKA, Library
from mainstem.lab.services.postgres import PostgresServer
from mainstem.lab.services.registry import SchemaRegistry
from mainstem.lab.services.stack import Stack

# No test asserts a time: an example that is slow on a busy machine is no failure.
settings.register_profile("mainstem", deadline=None)
settings.load_profile("mainstem")

# A shell that runs the tests in the background has them ignore Ctrl-C; their children would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

PLUGINS = (DEBEZIUM_POSTGRES, DEBEZIUM_JDBC)


@pytest.fixture(scope="session")
def library(pytestconfig: pytest.Config) -> Library:
    """The Java files, downloaded with their progress shown although pytest captures output."""
    library = Library(mainstem_home(os.environ))
    terminal = pytestconfig.get_terminal_writer()

    def progress(name: str, done: int, total: int) -> None:
        if done % 10 == 0 or done == total:
            terminal.line(f"[download] {done} of {total} files ({name})")

    for name in (KAFKA, *PLUGINS):
        library.ensure(name, progress)
    return library


@pytest.fixture(scope="session")
def service_stack(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """All services of this run; their logs lie in pytest's temporary directory."""
    stack = Stack(tmp_path_factory.mktemp("services"), library, PLUGINS)
    yield stack
    stack.stop()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """A PostgreSQL server (``host``, ``port``, ``dsn()``) with logical WAL and a database shop."""
    server = PostgresServer(tmp_path_factory.mktemp("postgres"))
    server.start()
    server.create_database("shop")
    yield server
    server.stop()
    server.discard()


@pytest.fixture(scope="session")
def kafka(service_stack: Stack) -> KafkaBroker:
    """A broker at ``bootstrap``; ``kill()`` and ``start()`` crash and revive it."""
    return service_stack.kafka


@pytest.fixture(scope="session")
def schema_registry(service_stack: Stack) -> SchemaRegistry:
    """A schema registry that answers Confluent's API at ``url``."""
    return service_stack.registry


@pytest.fixture(scope="session")
def connect(service_stack: Stack) -> ConnectWorker:
    """A Connect worker at ``url``; ``sibling(name)`` makes a second one of the same cluster."""
    return service_stack.connect
