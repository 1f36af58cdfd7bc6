"""A real ``mainstem serve`` in a process of its own, for tests that need sockets and signals."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2

from mainstem.lab.services.ports import free_port

PATIENCE_SECONDS = 60
_PROGRAM = """
import sys
from mainstem.serve.api import connections
connections.BoundedProtocol.seconds_to_send = float(sys.argv[3])
from mainstem.cli.serve import serve
serve(port=int(sys.argv[1]), store=sys.argv[2])
"""


class Running(NamedTuple):
    """Where it listens, and its process."""

    url: str
    port: int
    process: subprocess.Popen[bytes]

    def resident_kilobytes(self) -> int:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AssertionError("the server is gone")


@contextmanager
def running(store: str, *, seconds_to_send: float = 60) -> Iterator[Running]:
    """A backend that answers while the block runs."""
    port = free_port()
    arguments = [str(port), store, str(seconds_to_send)]
    process = subprocess.Popen([sys.executable, "-c", _PROGRAM, *arguments])
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + PATIENCE_SECONDS
    try:
        while not _answers(url):
            assert process.poll() is None, "the backend ended while starting"
            assert time.monotonic() < deadline, "the backend does not answer"
            time.sleep(0.05)
        yield Running(url, port, process)
    finally:
        process.terminate()
        process.wait(30)


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/readyz").status_code == 200
    except httpx2.TransportError:
        return False
