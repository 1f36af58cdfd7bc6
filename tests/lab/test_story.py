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

from lab.doctoring import Doctor, see_it_heal
from lab.seams import Seams
from mainstem.lab.scenarios.addresses import Addresses
from mainstem.lab.scenarios.orders import ALL_TO_S3
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
        for downloads in ("java", "maven"):
            (home / downloads).symlink_to(mainstem_home(os.environ) / downloads)

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


def ends(lab: Lab) -> dict[str, list[str]]:
    """How the runs of each job ended, in the order told."""
    found: dict[str, list[str]] = {}
    for event in lab.events():
        if event.get("eventType") in TERMINAL_EVENTS:
            found.setdefault(event["job"]["name"], []).append(event["eventType"])
    return found


def path_of_a_price(page: str, summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Where a price of PostgreSQL goes, as the API answers it."""
    port = re.findall(r"port=(\d+)", summary["postgres"])[0]
    node = f"datasetField:postgres://127.0.0.1:{port}:shop.public.orders:price"
    asked = {"node": node, "direction": "downstream"}
    answer = httpx2.get(f"{page}/api/v2/columns", params=asked).raise_for_status().json()
    return [(each["name"], each["field"]) for each in answer["nodes"]]


def addresses(summary: dict[str, Any]) -> Addresses:
    """Where things are, as the lab and its connectors say."""
    overridden = httpx2.get(f"{summary['connect']}/connectors/{ALL_TO_S3}/config").json()
    return Addresses(
        postgres_host="127.0.0.1",
        postgres_port=int(re.findall(r"port=(\d+)", summary["postgres"])[0]),
        bootstrap=summary["kafka"],
        second_bootstrap=overridden.get("consumer.override.bootstrap.servers", ""),
        registry=summary["registry"],
        s3=summary["s3"],
        catalog=Path(),
        password="",
        secret_key="",
    )


def test_the_story(lab: Lab) -> None:
    lab.run("fetch")
    assert lab.run("fetch") == "", "all files are there"
    summary = json.loads(lab.run("up", "--json"))
    assert summary["running"]
    assert list(summary["seconds"]) == ["files", "connectors", "spark", "everything"]
    assert 0 < summary["memoryInAll"] < 8e9
    assert set(path_of_a_price(summary["page"], summary)) == {
        ("shop.public.orders", "price"),
        ("lake/shop/orders", "price"),
        ("lake/shop/orders_by_connect", "price"),
        ("supplier-stats", "total_price"),
        ("lake/shop/supplier_stats", "total_price"),
    }
    assert "already running" in lab.run("up")
    assert ends(lab) == {
        "summary": ["COMPLETE"],
        "summary.overwrite.supplier_stats": ["COMPLETE"],
    }

    doctor = Doctor(summary["page"], lab.home / "state")
    before = doctor.findings()
    assert [one for one in before if one["severity"] != "info"] == []
    lab.run("break", "names")
    see_it_heal(doctor, Seams(summary["page"], addresses(summary)), before)
    lab.run("heal")
    Seams(summary["page"], addresses(summary)).await_whole()

    assert told(lab, "break", "connector")[-1] == "FAIL"
    assert told(lab, "heal", "connector")[-1] == "START"
    assert told(lab, "break", "schema")[-1] == "RUNNING"
    lab.run("heal")

    config = httpx2.get(f"{summary['connect']}/connectors/shop-source/config").json()
    archive = httpx2.get(f"{summary['connect']}/connectors/orders-s3-sink/config").json()
    secrets = (config["database.password"], archive["camel.component.aws2-s3.secretKey"])
    kept = [file for file in (lab.home / "lab/services").glob("*/*.db*") if file.is_file()]
    written = [lab.home / "lab/events.ndjson", *kept]
    assert len(kept) >= 2
    assert [
        path for path in written for secret in secrets if secret.encode() in path.read_bytes()
    ] == []

    assert "nothing of it is running" in lab.run("down")
    assert lab.processes() == []
    assert not is_listening(int(re.findall(r"port=(\d+)", summary["postgres"])[0]))
    assert not json.loads(lab.run("status", "--json"))["running"]
    # A terminated stream says so before it goes; the connectors were running and still are told so.
    ended = ends(lab)
    # So do those that were ended to be started under other names, and under their own again.
    assert ended["live-analytics.supplier-stats"] == ["ABORT"] * 3
    assert ended["ingestion.orders"] == ["ABORT"] * 3
    assert ended["orders-s3-sink"] == ["FAIL"]
    assert "shop-source" not in ended


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


@pytest.mark.soak
def test_on_a_terminal_the_lineage_is_followed_until_ctrl_c(lab: Lab) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        lab.command("up"), stdout=terminal, stderr=terminal, env=lab.environment
    ) as up:
        os.close(terminal)
        with os.fdopen(controller, "rb", buffering=0) as screen:
            _read_until(screen, "Live lineage")
            assert "→" in _read_until(screen, "RUNNING")
            up.send_signal(signal.SIGINT)
            assert "nothing of it is running" in _read_until(screen, "any more")
            assert up.wait(90) == 0
    assert lab.processes() == []


def _read_until(screen: Any, text: str) -> str:
    seen = ""
    while text not in seen:
        seen += screen.read(1024).decode(errors="replace")
    return seen
