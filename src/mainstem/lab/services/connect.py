"""A Kafka Connect worker; workers with one broker form one cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

from mainstem.lab.services.jvm import java_command, write_logging, write_properties
from mainstem.lab.services.ports import HOST, free_port
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

GROUP = "lab-connect"
MAIN = "org.apache.kafka.connect.cli.ConnectDistributed"


class ConnectWorker(Service):
    """One worker in distributed mode; ``kill`` and ``start`` bring it back on the same port."""

    name = "connect"

    def __init__(
        self,
        directory: Path,
        libraries: Path,
        plugins: Sequence[Path],
        bootstrap: str,
        *,
        name: str = name,
    ) -> None:
        self.name = name
        super().__init__(directory)
        self._libraries = libraries
        self._plugins = plugins
        self._bootstrap = bootstrap
        self._port = free_port()

    @property
    def url(self) -> str:
        """Where its REST API answers."""
        return f"http://{HOST}:{self._port}"

    def sibling(self, name: str) -> ConnectWorker:
        """A second worker of the same cluster with a port and a log of its own, not started."""
        return ConnectWorker(
            self.directory, self._libraries, self._plugins, self._bootstrap, name=name
        )

    def prepare(self) -> None:
        """Write the settings of the worker."""
        write_logging(self.directory)
        write_properties(self._settings_file, self._settings())

    def command(self) -> Sequence[str | Path]:
        """The worker in the foreground."""
        return java_command(self._libraries, self.directory, MAIN, self._settings_file)

    def is_ready(self) -> bool:
        """Whether it has joined its group and takes requests."""
        try:
            return httpx2.get(f"{self.url}/health", timeout=10).status_code == httpx2.codes.OK
        except httpx2.HTTPError:
            return False

    @property
    def _settings_file(self) -> Path:
        return self.directory / f"{self.name}.properties"

    def _settings(self) -> Mapping[str, object]:
        providers = "org.apache.kafka.common.config.provider"
        topics = {
            f"{kind}.storage.{key}": value
            for kind in ("config", "offset", "status")
            for key, value in (("topic", f"{GROUP}-{kind}"), ("replication.factor", 1))
        }
        return topics | {
            "bootstrap.servers": self._bootstrap,
            "group.id": GROUP,
            "listeners": self.url,
            "rest.advertised.host.name": HOST,
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "offset.storage.partitions": 1,
            "status.storage.partitions": 1,
            "offset.flush.interval.ms": 2000,
            "scheduled.rebalance.max.delay.ms": 5000,
            # How long the partitions of a killed worker's sinks stay with the dead.
            "consumer.session.timeout.ms": 10000,
            # Any other way of discovery looks into every class and makes a start minutes long.
            "plugin.discovery": "service_load",
            "plugin.path": ",".join(map(str, self._plugins)),
            "connector.client.config.override.policy": "All",
            "config.providers": "file,env",
            "config.providers.file.class": f"{providers}.FileConfigProvider",
            "config.providers.env.class": f"{providers}.EnvVarConfigProvider",
        }
