"""The product's own watcher, started as a user starts it."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

CONFIG = """\
transport:
  type: file
  log_file_path: {events}
  append: true
"""


class Watcher(Service):
    """``mainstem watch``, telling its events into a file."""

    name = "watcher"

    def __init__(self, directory: Path, connect_url: str, bootstrap: str, events: Path) -> None:
        super().__init__(directory)
        self._connect_url = connect_url
        self._bootstrap = bootstrap
        self._events = events

    def prepare(self) -> None:
        """Write the configuration that the OpenLineage client reads."""
        self._config.write_text(CONFIG.format(events=json.dumps(str(self._events))))

    def command(self) -> Sequence[str | Path]:
        """The command line of the README, with short intervals."""
        options = {
            "--connect": self._connect_url,
            "--kafka": self._bootstrap,
            "--interval": "1",
            "--heartbeat": "10",
            "--journal": self._journal,
        }
        flags = [part for option in options.items() for part in option]
        return [sys.executable, "-m", "mainstem", "watch", *flags]

    def environment(self) -> Mapping[str, str]:
        """Ours without any other lineage destination of the user."""
        ours = {key: value for key, value in os.environ.items() if "OPENLINEAGE" not in key}
        return ours | {"OPENLINEAGE_CONFIG": str(self._config)}

    def is_ready(self) -> bool:
        """Whether it has opened its journal."""
        return self._journal.exists()

    @property
    def _config(self) -> Path:
        return self.directory / "openlineage.yml"

    @property
    def _journal(self) -> Path:
        return self.directory / "journal.db"
