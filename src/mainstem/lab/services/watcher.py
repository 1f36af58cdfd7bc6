"""The product's own watcher, started as a user starts it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from mainstem.lab.services.openlineage import lineage_environment
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

CLUSTER = "lab"


class Watcher(Service):
    """``mainstem watch`` with a recipe: one cluster, its Kafka and its schema registry."""

    name = "watch"

    def __init__(
        self,
        directory: Path,
        connect_url: str,
        bootstrap: str,
        registry_url: str,
        configuration: Path,
    ) -> None:
        super().__init__(directory)
        self._connect_url = connect_url
        self._bootstrap = bootstrap
        self._registry_url = registry_url
        self._configuration = configuration

    def prepare(self) -> None:
        """Write the recipe, with short intervals."""
        cluster = {
            "name": CLUSTER,
            "urls": [self._connect_url],
            "kafka": {"bootstrap": self._bootstrap},
            "schema_registry": {"urls": [self._registry_url]},
            "interval": "2s",
            "heartbeat": "20s",
            "topics_refresh": "10s",
        }
        self._recipe.write_text(json.dumps({"clusters": [cluster]}, indent=2))

    def command(self) -> Sequence[str | Path]:
        """The command line of the README."""
        flags = ["-c", self._recipe, "--journal", self._journal]
        return [sys.executable, "-m", "mainstem", "watch", *flags]

    def environment(self) -> Mapping[str, str]:
        """Ours, with the lab's destination."""
        return lineage_environment(self._configuration)

    def is_ready(self) -> bool:
        """Whether it has opened its journal."""
        return self._journal.exists()

    @property
    def _recipe(self) -> Path:
        return self.directory / "recipe.yml"

    @property
    def _journal(self) -> Path:
        return self.directory / "journal.db"
