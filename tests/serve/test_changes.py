"""Server-sent events over a real socket: seen as they happen, caught up with, bounded."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mainstem.serve.api.live import REMEMBERED, ChangeFeed
from mainstem.serve.model.changes import Changes
from mainstem.serve.store.catalog import Catalog
from serve_fixtures import run_event, sqlite_url
from serve_running import Running, running

MANY = 400
"""Changes of 20 kB: more than the sockets between take."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(sqlite_url(tmp_path_factory.mktemp("changes"))) as server:
        yield server


def tell(server: Running, job: str, outputs: list[str]) -> None:
    event = run_event(run=f"run of {job}", job=job, outputs=outputs)
    assert httpx2.post(f"{server.url}/api/v1/lineage", json=event).status_code == 201


def told(lines: Iterator[str]) -> tuple[int, dict[str, Any]]:
    """The next change of a stream: its number and its data."""
    number = 0
    for line in lines:
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("data: "):
            return number, json.loads(line[6:])
    raise AssertionError("the stream ended")


def test_a_change_is_seen_as_it_happens(server: Running) -> None:
    with httpx2.stream("GET", f"{server.url}/api/v2/changes", timeout=30) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(lines) == ": listening"
        tell(server, "seen", ["t"])
        _, change = told(lines)
    assert change["jobs"] == ["job:jobs:seen"]
    assert change["datasets"] == ["dataset:postgres://db:5432:t"]
    assert [run["state"] for run in change["runs"]] == ["COMPLETED"]


def test_a_repetition_is_no_change(server: Running) -> None:
    tell(server, "said twice", ["t"])
    with httpx2.stream("GET", f"{server.url}/api/v2/changes", timeout=30) as stream:
        lines = stream.iter_lines()
        next(lines)
        tell(server, "said twice", ["t"])
        tell(server, "said once", ["t"])
        _, change = told(lines)
    assert change["jobs"] == ["job:jobs:said once"]


def test_a_lost_connection_goes_on_where_it_was(server: Running) -> None:
    with httpx2.stream("GET", f"{server.url}/api/v2/changes", timeout=30) as stream:
        lines = stream.iter_lines()
        next(lines)
        tell(server, "before", ["t"])
        number, _ = told(lines)
    tell(server, "missed", ["t"])
    again = {"Last-Event-ID": str(number)}
    with httpx2.stream("GET", f"{server.url}/api/v2/changes", headers=again, timeout=30) as stream:
        _, change = told(stream.iter_lines())
    assert change["jobs"] == ["job:jobs:missed"]


def test_a_listener_that_never_reads_misses_the_oldest() -> None:
    async def left_after(published: int) -> list[int]:
        feed = ChangeFeed()
        queue = feed.listen()
        for _ in range(published):
            feed.publish(Changes(events=1), Catalog())
        await asyncio.sleep(0)  # what was published waits for the loop
        return [queue.get_nowait().number for _ in range(queue.qsize())]

    assert asyncio.run(left_after(3)) == [1, 2, 3]
    assert asyncio.run(left_after(REMEMBERED + 7)) == list(range(8, REMEMBERED + 8))


@pytest.mark.slow
def test_a_reader_that_never_reads_costs_little_and_holds_nobody_up(tmp_path: Path) -> None:
    outputs = [f"a table with {'a rather long name, ' * 5} {at}" for at in range(150)]
    with running(sqlite_url(tmp_path)) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as sleeper:
            sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sleeper.sendall(b"GET /api/v2/changes HTTP/1.1\r\nHost: x\r\n\r\n")
            tell(server, "first", outputs)
            before = server.resident_kilobytes()
            with httpx2.Client(base_url=server.url, timeout=60) as client:
                for at in range(MANY):
                    event = run_event("RUNNING", run=f"r{at}", outputs=outputs)
                    assert client.post("/api/v1/lineage", json=event).status_code == 201
            grown = server.resident_kilobytes() - before
        assert grown < 60_000, f"{grown} kB more for a reader that sleeps"
        assert httpx2.get(f"{server.url}/healthz").status_code == 200
