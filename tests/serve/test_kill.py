"""kill -9 during ingest: every event answered with 201 is there afterwards, none twice."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2
import orjson
import pytest

from mainstem.lab.services.postgres import PostgresServer
from serve_fixtures import run_event, sqlite_url


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(store: str, port: int) -> subprocess.Popen[bytes]:
    code = f"from mainstem.cli.serve import serve; serve(port={port}, store={store!r})"
    process = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            httpx2.get(f"http://127.0.0.1:{port}/readyz")
        except httpx2.TransportError:
            assert process.poll() is None, "the server died while starting"
            time.sleep(0.02)
        else:
            return process
    raise AssertionError("the server did not start")


def send_until_dead(
    port: int, sender: int, acknowledged: set[str], enough: threading.Event
) -> None:
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:
        for number in range(100_000):
            run = f"{sender:08d}-0000-4000-8000-{number:012d}"
            body = orjson.dumps(run_event("START", run=run, inputs=["a"], outputs=[f"o{sender}"]))
            try:
                answer = client.post(
                    "/api/v1/lineage", content=body, headers={"Content-Type": "application/json"}
                )
            except httpx2.TransportError:
                return
            if answer.status_code == 201:
                acknowledged.add(run)
            if len(acknowledged) > 40:
                enough.set()


def kill_once(store: str, round_number: int, acknowledged: set[str]) -> None:
    port = free_port()
    server = start(store, port)
    enough = threading.Event()
    mine: set[str] = set()
    senders = [
        threading.Thread(target=send_until_dead, args=(port, round_number * 10 + at, mine, enough))
        for at in range(4)
    ]
    for sender in senders:
        sender.start()
    assert enough.wait(60)
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    for sender in senders:
        sender.join()
    acknowledged |= mine


def stored_runs(store: str) -> list[str]:
    port = free_port()
    server = start(store, port)
    try:
        answer = httpx2.get(f"http://127.0.0.1:{port}/api/v1/events/lineage?limit=1000000")
        runs = [event["run"]["runId"] for event in answer.json()["events"]]
        job = httpx2.get(f"http://127.0.0.1:{port}/api/v1/namespaces/jobs/jobs/job/runs?limit=0")
        assert job.json()["totalCount"] == len(runs)
        return runs
    finally:
        server.terminate()
        server.wait()


def survive(store: str, times: int) -> None:
    acknowledged: set[str] = set()
    for round_number in range(times):
        kill_once(store, round_number, acknowledged)
    runs = stored_runs(store)
    assert acknowledged <= set(runs)
    assert len(runs) == len(set(runs))


def postgres_store(server: PostgresServer, name: str) -> str:
    server.create_database(name)
    return f"postgresql://postgres@{server.host}:{server.port}/{name}"


def test_sqlite_survives_a_kill(tmp_path: Path) -> None:
    survive(sqlite_url(tmp_path), 1)


@pytest.mark.postgres
def test_sqlite_survives_five_kills(tmp_path: Path) -> None:
    survive(sqlite_url(tmp_path), 5)


@pytest.mark.postgres
def test_postgresql_survives_five_kills(postgres_server: PostgresServer) -> None:
    survive(postgres_store(postgres_server, "killed"), 5)


@pytest.mark.soak
def test_sqlite_survives_a_hundred_kills(tmp_path: Path) -> None:
    survive(sqlite_url(tmp_path), 100)


@pytest.mark.soak
def test_postgresql_survives_a_hundred_kills(postgres_server: PostgresServer) -> None:
    survive(postgres_store(postgres_server, "killed_often"), 100)
