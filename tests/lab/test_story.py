"""The lab as a person uses it: up, break, heal, down, and nothing left behind."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.library import Library
from mainstem.lab.services.ports import is_listening

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]
TERMINAL_EVENTS = {"COMPLETE", "FAIL", "ABORT"}


class Lab:
    """A lab in a home of its own that borrows the downloads of the real one."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {**os.environ, "MAINSTEM_HOME": str(home)}
        (home / "java").symlink_to(mainstem_home(os.environ) / "java")

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "mainstem", "lab", *arguments]

    def run(self, *arguments: str) -> str:
        ran = subprocess.run(
            self.command(*arguments),
            check=False,
            capture_output=True,
            text=True,
            env=self.environment,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.home / "lab/events.ndjson").open()]

    def processes(self) -> list[str]:
        """The command lines of everything that still runs for this home."""
        found: list[str] = []
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(self.home) in line:
                found.append(line)
        return found

    def processes_after_a_while(self) -> list[str]:
        deadline = time.monotonic() + 30
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.2)
        return self.processes()


@pytest.fixture
def lab(library: Library, tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.run("down")


def told(lab: Lab, *arguments: str) -> list[str]:
    """The types of the events that a verb printed."""
    return re.findall(r"^\d\d:\d\d:\d\d +([A-Z]+) ", lab.run(*arguments), re.MULTILINE)


def ends(lab: Lab) -> list[dict[str, Any]]:
    return [event for event in lab.events() if event["eventType"] in TERMINAL_EVENTS]


def test_the_whole_story(lab: Lab) -> None:
    summary = json.loads(lab.run("up", "--json"))
    assert summary["running"]
    table = "shop.public.orders"
    topic = (f"kafka://{summary['kafka']}", "shop.public.orders")
    file = ("file", summary["file"])
    edges = {
        (event["job"]["name"], source["name"], target["namespace"], target["name"])
        for event in lab.events()
        for source in event["inputs"]
        for target in event["outputs"]
    }
    assert edges == {("orders-source", table, *topic), ("orders-sink", topic[1], *file)}
    assert json.loads(Path(summary["file"]).read_text().splitlines()[0])["order_id"] == 1

    assert "already running" in lab.run("up")

    assert told(lab, "break", "task")[-1] == "FAIL"
    assert told(lab, "heal", "task")[-1] == "START"
    assert told(lab, "break", "pause")[-1] == "COMPLETE"
    assert told(lab, "heal")[-1] == "START"
    assert told(lab, "break", "delete")[-1] == "COMPLETE"
    assert told(lab, "heal")[-1] == "START"

    before = ends(lab)
    for silent in ("database", "worker"):
        lab.run("break", silent)
        lab.run("heal")
    assert ends(lab) == before

    config = httpx2.get(f"{summary['connect']}/connectors/orders-source/config").json()
    secret = config["database.password"].encode()
    written = [*(lab.home / "lab/services/watcher").iterdir(), lab.home / "lab/events.ndjson"]
    assert [path for path in written if secret in path.read_bytes()] == []

    assert "nothing of it is running" in lab.run("down")
    assert lab.processes() == []
    assert not is_listening(int(re.findall(r"port=(\d+)", summary["postgres"])[0]))
    assert not json.loads(lab.run("status", "--json"))["running"]


def test_a_start_that_is_killed_takes_its_services_along(lab: Lab) -> None:
    with subprocess.Popen(
        lab.command("up"), stdout=subprocess.PIPE, text=True, env=lab.environment
    ) as up:
        assert up.stdout
        postgres = next(line for line in up.stdout if "PostgreSQL" in line)
        next(line for line in up.stdout if "✓" in line and "Kafka" in line)
        port = int(postgres.rpartition(":")[2])
        assert is_listening(port)
        up.send_signal(signal.SIGKILL)
    assert lab.processes_after_a_while() == []
    assert not is_listening(port)


def test_on_a_terminal_the_lineage_is_followed_until_ctrl_c(lab: Lab) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        lab.command("up"), stdout=terminal, stderr=terminal, env=lab.environment
    ) as up:
        os.close(terminal)
        with os.fdopen(controller, "rb", buffering=0) as screen:
            _read_until(screen, "Live lineage")
            assert "orders-s" in _read_until(screen, "RUNNING")
            up.send_signal(signal.SIGINT)
            assert "nothing of it is running" in _read_until(screen, "any more")
            assert up.wait(30) == 0
    assert lab.processes() == []


def _read_until(screen: Any, text: str) -> str:
    seen = ""
    while text not in seen:
        seen += screen.read(1024).decode(errors="replace")
    return seen
