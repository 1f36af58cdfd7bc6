"""The orders pipeline on this machine: its services, its steps, and what can be seen of it."""

from __future__ import annotations

import json
import secrets
import shutil
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mainstem.clock import monotonic
from mainstem.errors import ServiceFailed
from mainstem.lab.checks.graph import Graph, difference, told_by
from mainstem.lab.scenarios import orders
from mainstem.lab.scenarios.connectors import Connectors
from mainstem.lab.services.ports import HOST
from mainstem.lab.services.postgres import PostgresServer
from mainstem.lab.services.stack import Stack
from mainstem.lab.services.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.lab.place import Place
    from mainstem.lab.services.library import Library
    from mainstem.lab.steps import Task

PATIENCE = 90.0
GOODS = (("lamp", "24.90", "Northlight"), ("kettle", "31.50", "Hearth"), ("chair", "89.00", "Oak"))


class Pipeline:
    """PostgreSQL → Debezium → Kafka → file sink, watched by the product."""

    def __init__(self, place: Place, library: Library) -> None:
        self._place = place
        self.stack = Stack(place.services, library)
        self._password = secrets.token_hex(16)
        self._last_order = 0

    @cached_property
    def addresses(self) -> orders.Addresses:
        """Where the pieces are."""
        server = self.stack.postgres
        return orders.Addresses(
            postgres_host=HOST,
            postgres_port=server.port,
            bootstrap=self.stack.kafka.bootstrap,
            file=self._place.orders_file,
            password=self._password,
        )

    @cached_property
    def connectors(self) -> Connectors:
        """The connectors of the worker."""
        return Connectors(self.stack.connect.url)

    @cached_property
    def watcher(self) -> Watcher:
        """The product's watcher, not started by being asked for."""
        return Watcher(
            self._place.services / "watcher",
            self.stack.connect.url,
            self.stack.kafka.bootstrap,
            self._place.events,
        )

    def tasks(self) -> tuple[Task, ...]:
        """Every step of a start, in order."""
        return (
            ("PostgreSQL", self._start_postgres),
            ("Kafka", lambda: self.stack.kafka.bootstrap),
            ("Kafka Connect", lambda: self.stack.connect.url),
            ("table orders", self._create_table),
            ("mainstem watch", self._start_watcher),
            ("Debezium source", lambda: self._add(orders.SOURCE, orders.source_config)),
            ("file sink", lambda: self._add(orders.SINK, orders.sink_config)),
            ("a row inserted", self.insert_order),
            ("the change on the topic", self._see_change),
            ("the line in the file", self.see_line),
            ("the lineage", self._see_lineage),
        )

    def clear(self) -> None:
        """Remove what an earlier run left on the disk."""
        PostgresServer(self._place.services / "postgres").discard()
        shutil.rmtree(self._place.directory, ignore_errors=True)
        self._place.directory.mkdir(parents=True)

    def stop(self) -> None:
        """End the watcher first, so that it does not watch the rest go down."""
        if "watcher" in vars(self):
            self.watcher.stop()
        self.stack.stop()

    def insert_order(self) -> str:
        """One more order in the table."""
        import psycopg

        item, price, supplier = GOODS[self._last_order % len(GOODS)]
        self._last_order += 1
        with psycopg.connect(self.stack.postgres.dsn(orders.DATABASE)) as session:
            session.execute(orders.INSERT_ORDER, (self._last_order, item, price, supplier))
        return f"order {self._last_order}: {item}, {price}, {supplier}"

    def _start_postgres(self) -> str:
        return f"{HOST}:{self.stack.postgres.port}"

    def _create_table(self) -> str:
        self.stack.postgres.create_database(orders.DATABASE)
        self.stack.postgres.execute(orders.CREATE_TABLE, database=orders.DATABASE)
        return f"in database {orders.DATABASE}"

    def _start_watcher(self) -> str:
        self.watcher.start()
        return f"tells into {self._place.events}"

    def _add(self, name: str, config: Callable[[orders.Addresses], dict[str, str]]) -> str:
        self.connectors.configure(name, config(self.addresses))
        self.connectors.wait_until_running(name)
        return f"connector {name}, RUNNING"

    def _see_change(self) -> str:
        import confluent_kafka

        settings = {
            "bootstrap.servers": self.addresses.bootstrap,
            "group.id": "lab-eyes",
            "auto.offset.reset": "earliest",
        }
        consumer = confluent_kafka.Consumer(settings)
        try:
            consumer.subscribe([orders.TOPIC])
            _wait_for("a change of the row", lambda: self._is_order(consumer.poll(1)))
        finally:
            consumer.close()
        return orders.TOPIC

    def _is_order(self, message: Any) -> bool:
        if message is None or message.error():
            return False
        return json.loads(message.value())["order_id"] == self._last_order

    def see_line(self) -> str:
        """Wait until the last order is a line of the file."""

        def written() -> bool:
            lines = self._place.orders_file.read_text().splitlines()
            return any(json.loads(line)["order_id"] == self._last_order for line in lines)

        _wait_for("the order in the file", lambda: self._place.orders_file.exists() and written())
        return str(self._place.orders_file)

    def _see_lineage(self) -> str:
        expected = Graph.of(orders.expected_edges(self.addresses))

        def differences() -> list[str]:
            if not self._place.events.exists():
                return ["no event was told"]
            lines = self._place.events.read_text().splitlines()
            return difference(expected, told_by(json.loads(line) for line in lines))

        _wait_for("the lineage", lambda: not differences(), differences)
        return f"{len(expected.nodes)} datasets and {len(expected.edges)} edges, as they are"


def _wait_for(what: str, seen: Callable[[], bool], why_not: Callable[[], list[str]] = list) -> None:
    deadline = monotonic() + PATIENCE
    while not seen():
        if monotonic() > deadline:
            reasons = "; ".join(why_not())
            raise ServiceFailed("lab", f"{what} was not seen after {PATIENCE:.0f} s; {reasons}")
        time.sleep(0.2)
