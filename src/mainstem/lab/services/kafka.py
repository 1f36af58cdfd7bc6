"""A Kafka broker that is its own controller."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from typing import TYPE_CHECKING

from mainstem.errors import ServiceFailed
from mainstem.lab.services.jvm import java_command, write_logging, write_properties
from mainstem.lab.services.ports import HOST, free_port, is_listening
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class KafkaBroker(Service):
    """One broker on a loopback port; topics and offsets survive ``kill`` and ``start``."""

    name = "kafka"

    def __init__(self, directory: Path, libraries: Path) -> None:
        super().__init__(directory)
        self._libraries = libraries
        self._port = free_port()
        self._second_port = free_port()
        self._controller_port = free_port()

    @property
    def bootstrap(self) -> str:
        """The address that clients are given."""
        return f"{HOST}:{self._port}"

    @property
    def second_bootstrap(self) -> str:
        """Another address of the same cluster, as clusters have for clients inside and outside."""
        return f"{HOST}:{self._second_port}"

    def prepare(self) -> None:
        """Write the settings, and format the storage before the first start."""
        write_logging(self.directory)
        settings = write_properties(self.directory / "server.properties", self._settings())
        if not self._data.exists():
            self._format(settings)

    def command(self) -> Sequence[str | Path]:
        """The broker in the foreground."""
        settings = self.directory / "server.properties"
        return java_command(self._libraries, self.directory, "kafka.Kafka", settings)

    def is_ready(self) -> bool:
        """Whether it, and not another broker, tells a client about the cluster."""
        from confluent_kafka import KafkaException
        from confluent_kafka.admin import AdminClient

        if not is_listening(self._port):
            return False
        admin = AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 0})
        try:
            return admin.list_topics(timeout=5).cluster_id == self._cluster
        except KafkaException:
            return False

    @property
    def _cluster(self) -> str:
        identity = hashlib.sha256(str(self.directory).encode()).digest()[:16]
        return base64.urlsafe_b64encode(identity).decode().rstrip("=")

    @property
    def _data(self) -> Path:
        return self.directory / "kafka-data"

    def _settings(self) -> Mapping[str, object]:
        for_clients = f"PLAINTEXT://{self.bootstrap},SECOND://{self.second_bootstrap}"
        return {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@{HOST}:{self._controller_port}",
            "controller.listener.names": "CONTROLLER",
            "listeners": f"{for_clients},CONTROLLER://{HOST}:{self._controller_port}",
            "advertised.listeners": for_clients,
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.security.protocol.map": ",".join(
                f"{listener}:PLAINTEXT" for listener in ("PLAINTEXT", "SECOND", "CONTROLLER")
            ),
            "log.dirs": self._data,
            "num.partitions": 1,
            "default.replication.factor": 1,
            "offsets.topic.replication.factor": 1,
            "offsets.topic.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.min.isr": 1,
            "transaction.state.log.num.partitions": 1,
            "share.coordinator.state.topic.replication.factor": 1,
            "share.coordinator.state.topic.min.isr": 1,
            "group.initial.rebalance.delay.ms": 0,
        }

    def _format(self, settings: Path) -> None:
        # One word: an id may begin with a dash, and would be taken for an option.
        tool = [
            "kafka.tools.StorageTool",
            "format",
            f"--cluster-id={self._cluster}",
            "-c",
            settings,
        ]
        command = java_command(self._libraries, self.directory, *tool)
        ran = subprocess.run(command, check=False, capture_output=True, text=True)
        if ran.returncode != 0:
            raise ServiceFailed(
                self.name, f"its storage is not formatted: {ran.stdout}{ran.stderr}"
            )
