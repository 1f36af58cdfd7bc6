"""How fast the outbox stores and delivers, beside the bare limits of this disk and this loopback.

Usage: python bench/outbox.py [EVENTS]. Prints events per second and CPU milliseconds per event.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import structlog

from mainstem.outbox import Destination, Drainer, Outbox, OutboxItem
from mainstem.outbox.destinations.file import FileDestination
from mainstem.outbox.destinations.http import HttpDestination, HttpSettings
from mainstem.outbox.destinations.noop import NoopDestination

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

EVENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
RUNS = 100
BODY_BYTES = 4000


class Handler(BaseHTTPRequestHandler):
    """Takes every event at once."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def backend() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/api/v1/lineage"
    server.shutdown()


def item(number: int) -> OutboxItem:
    body = json.dumps({"n": number, "padding": "x" * BODY_BYTES}).encode()
    return OutboxItem(f"run-{number % RUNS}", body)


def measure(what: str, events: int, work: Callable[[], None]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what:44}{events / wall:10,.0f} events/s{cpu / events * 1000:9.3f} ms CPU per event")


def store(box: Outbox, events: int, batch: int) -> None:
    for start in range(0, events, batch):
        with box.transaction() as connection:
            box.append(connection, [item(number) for number in range(start, start + batch)])


def drain(box: Outbox, destination: Destination) -> None:
    drainer = Drainer(box, [destination])
    drainer.start()
    assert drainer.drain_until_empty(600)
    drainer.stop()


def bare_fsync(directory: Path, events: int) -> None:
    body = item(0).body
    with (directory / "bare").open("wb", buffering=0) as file:
        for _ in range(events):
            file.write(body)
            os.fsync(file.fileno())


def bare_post(url: str, events: int) -> None:
    body = item(0).body
    with httpx2.Client() as client:
        for _ in range(events):
            client.post(url, content=body)


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name, backend() as url:
        directory = Path(name)
        print(f"{EVENTS} events of {BODY_BYTES} bytes, {RUNS} runs")
        measure("limit: write and fsync", EVENTS, lambda: bare_fsync(directory, EVENTS))
        measure("limit: POST (CPU of both ends)", EVENTS, lambda: bare_post(url, EVENTS))
        destinations: dict[str, Destination] = {
            "noop": NoopDestination("noop"),
            "file (fsync each)": FileDestination("file", directory / "events", append=True),
            "http (CPU of both ends)": HttpDestination("http", HttpSettings(url)),
        }
        for batch, (kind, destination) in zip((1, 100, 100), destinations.items(), strict=True):
            box = Outbox.open(directory / f"{destination.name}.db")
            what = f"stored, {batch} per transaction"
            measure(what, EVENTS, lambda box=box, batch=batch: store(box, EVENTS, batch))
            measure(
                f"delivered to {kind}",
                EVENTS,
                lambda box=box, to=destination: drain(box, to),
            )
            box.close()


if __name__ == "__main__":
    main()
