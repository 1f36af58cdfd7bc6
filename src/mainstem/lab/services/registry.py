"""A schema registry that keeps its schemas in memory: Apicurio, by Confluent's API."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import httpx2

from mainstem.lab.services.java import find_java
from mainstem.lab.services.jvm import OPTIONS
from mainstem.lab.services.ports import HOST, free_port
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OLDEST_JAVA = 21


class SchemaRegistry(Service):
    """One registry on a loopback port; ``kill`` and ``start`` bring it back, empty."""

    name = "registry"

    def __init__(self, directory: Path, application: Path) -> None:
        super().__init__(directory)
        self._application = application
        self._port = free_port()
        self._management_port = free_port()

    @property
    def url(self) -> str:
        """Where it answers Confluent's API."""
        return f"http://{HOST}:{self._port}/apis/ccompat/v7"

    def prepare(self) -> None:
        """Nothing to write: it is told all on its command line."""

    def command(self) -> Sequence[str | Path]:
        """The registry in the foreground."""
        settings = {
            "quarkus.http.host": HOST,
            "quarkus.http.port": self._port,
            "quarkus.management.host": HOST,
            "quarkus.management.port": self._management_port,
        }
        return [
            find_java(os.environ, oldest=OLDEST_JAVA),
            *OPTIONS,
            *(f"-D{key}={value}" for key, value in settings.items()),
            "-jar",
            self._application / "quarkus-run.jar",
        ]

    def is_ready(self) -> bool:
        """Whether it lists its subjects."""
        try:
            return httpx2.get(f"{self.url}/subjects", timeout=5, trust_env=False).is_success
        except httpx2.HTTPError:
            return False
