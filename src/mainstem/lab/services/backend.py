"""The product's own backend, started as a user starts it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import httpx2

from mainstem.lab.services.ports import HOST, free_port
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Backend(Service):
    """``mainstem serve`` on a loopback port, with a store of its own."""

    name = "serve"

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self._port = free_port()

    @property
    def url(self) -> str:
        """Where the page and the API are."""
        return f"http://{HOST}:{self._port}"

    def prepare(self) -> None:
        """Nothing to write: it makes its store itself."""

    def command(self) -> Sequence[str | Path]:
        """The command line of the README, on a port and a file of the lab's."""
        store = self.directory / "mainstem.db"
        flags = ["--port", str(self._port), "--store", store]
        return [sys.executable, "-m", "mainstem", "serve", *flags]

    def is_ready(self) -> bool:
        """Whether it takes events."""
        try:
            return httpx2.get(f"{self.url}/readyz", timeout=5, trust_env=False).is_success
        except httpx2.HTTPError:
            return False
