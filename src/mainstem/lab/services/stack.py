"""The services that belong together: each started when it is first asked for, all ended at once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import APICURIO, DEBEZIUM_POSTGRES, KAFKA, Library
from mainstem.lab.services.postgres import PostgresServer
from mainstem.lab.services.registry import SchemaRegistry

if TYPE_CHECKING:
    from pathlib import Path

    from mainstem.lab.services.service import Service


class Stack:
    """PostgreSQL, a Kafka broker, a Connect worker and a schema registry below one directory."""

    def __init__(
        self, directory: Path, library: Library, plugins: tuple[str, ...] = (DEBEZIUM_POSTGRES,)
    ) -> None:
        self._directory = directory
        self._library = library
        self._plugins = plugins
        self._services: list[Service] = []

    @cached_property
    def postgres(self) -> PostgresServer:
        """The running database server."""
        server = PostgresServer(self._directory / "postgres")
        self._start(server)
        return server

    @cached_property
    def kafka(self) -> KafkaBroker:
        """The running broker."""
        broker = KafkaBroker(self._directory / "kafka", self._library.ensure(KAFKA))
        self._start(broker)
        return broker

    @cached_property
    def connect(self) -> ConnectWorker:
        """The running worker, with the plug-ins and Kafka's own connectors."""
        worker = ConnectWorker(
            self._directory / "connect",
            self._library.ensure(KAFKA),
            [self._library.ensure(plugin) for plugin in self._plugins],
            self.kafka.bootstrap,
        )
        self._start(worker)
        return worker

    @cached_property
    def registry(self) -> SchemaRegistry:
        """The running schema registry."""
        registry = SchemaRegistry(self._directory / "registry", self._library.ensure(APICURIO))
        self._start(registry)
        return registry

    def stop(self) -> None:
        """End every service that was started, the last one first, and drop the database's data."""
        for service in reversed(self._services):
            service.stop()
        self._services.clear()
        if "postgres" in vars(self):
            self.postgres.discard()

    def _start(self, service: Service) -> None:
        # Noted before it is ready: a service that fails or is interrupted while starting ends too.
        self._services.append(service)
        service.start()
