"""The running program takes over its recipe at SIGHUP, and ends in order at SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import orjson
import pytest

from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from outbox.backend import Reply, running_backend
from watch.loop.world import FILE_SINK


def until(done: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)


def test_sighup_takes_over_and_sigterm_ends(tmp_path: Path) -> None:
    connect = FakeConnect()
    connect.create("a", FILE_SINK)
    connect.create("b", FILE_SINK)
    recipe, log = tmp_path / "recipe.yml", tmp_path / "log"
    with FakeConnectServer(connect) as server, log.open("wb") as output:

        def write(**patterns: object) -> None:
            cluster = {"urls": [server.url], "interval": 1, "connectors": patterns}
            recipe.write_bytes(orjson.dumps({"clusters": [cluster]}))

        write(allow=["a"])
        process = subprocess.Popen(
            [sys.executable, "-m", "mainstem", "watch", "-c", str(recipe), "--admin", "0",
             "--journal", str(tmp_path / "journal.db")],
            env={**os.environ, "OPENLINEAGE__TRANSPORT__TYPE": "console"},
            stdout=output, stderr=output,
        )  # fmt: skip
        try:
            until(lambda: '"connector": "a"' in log.read_text(), log)
            recipe.write_text("clusters: wrong")
            process.send_signal(signal.SIGHUP)
            until(lambda: "going on with the old one" in log.read_text(), log)
            write(allow=["a", "b"])
            process.send_signal(signal.SIGHUP)
            until(lambda: '"connector": "b"' in log.read_text(), log)
            (told,) = [line for line in log.read_text().splitlines() if "admin port open" in line]
            assert httpx2.get(f"{orjson.loads(told)['url']}/healthz").status_code == 200
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()


def start(directory: Path, url: str, backend: str) -> subprocess.Popen[bytes]:
    with (directory / "log").open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "mainstem", "watch", "--connect", url, "--interval", "1",
             "--journal", str(directory / "journal.db")],
            env={**os.environ, "OPENLINEAGE_URL": backend}, stdout=output, stderr=output,
        )  # fmt: skip


@pytest.mark.slow
def test_sigterm_beside_a_backend_that_hangs_leaves_the_rest_for_the_next_start(
    tmp_path: Path,
) -> None:
    connect, log = FakeConnect(), tmp_path / "log"
    connect.create("a", FILE_SINK)
    connect.create("b", FILE_SINK)
    with FakeConnectServer(connect) as server, running_backend() as backend:
        backend.behaviour = lambda _request: Reply(deed="hang")
        process = start(tmp_path, server.url, backend.url)
        try:
            until(lambda: bool(backend.requests), log)
            process.terminate()
            assert process.wait(60) == 0
            backend.released.set()
            backend.behaviour = lambda _request: Reply()
            process = start(tmp_path, server.url, backend.url)
            until(lambda: len(backend.accepted) == 2, log)
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
        told = [orjson.loads(body) for body in backend.accepted]
    assert sorted((each["job"]["name"], each["eventType"]) for each in told) == [
        ("a", "START"), ("b", "START")
    ]  # fmt: skip


def test_a_damaged_journal_is_set_aside_aloud_and_the_watcher_goes_on(tmp_path: Path) -> None:
    connect, log = FakeConnect(), tmp_path / "log"
    connect.create("a", FILE_SINK)
    (tmp_path / "journal.db").write_bytes(b"not a database at all" * 1000)
    with FakeConnectServer(connect) as server, running_backend() as backend:
        process = start(tmp_path, server.url, backend.url)
        try:
            until(lambda: len(backend.accepted) == 1, log)
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
    assert "damaged" in log.read_text()
    assert len([*tmp_path.glob("journal.db.damaged-*")]) == 1
