"""The verbs of ``mainstem lab`` where no lab runs; the running one is in tests/lab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from mainstem.lab.control import become_the_only_one
from mainstem.lab.place import Place
from mainstem.lab.steps import Step


def lab(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mainstem", "lab", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "MAINSTEM_HOME": str(home)},
    )


def test_status_of_no_lab_says_how_to_start_one(tmp_path: Path) -> None:
    told = lab(tmp_path, "status")
    assert told.returncode == 0
    assert "mainstem lab up" in told.stdout


def test_status_is_json_for_machines(tmp_path: Path) -> None:
    assert json.loads(lab(tmp_path, "status", "--json").stdout) == {
        "schemaVersion": 1,
        "running": False,
        "ready": False,
    }
    assert not json.loads(lab(tmp_path, "down", "--json").stdout)["ended"]
    assert "record" in json.loads(lab(tmp_path, "break", "--json").stdout)["breakages"]


def test_status_of_a_lab_that_starts_says_how_far_it_has_come(tmp_path: Path) -> None:
    place = Place(tmp_path / "lab")
    place.directory.mkdir()
    steps = (Step("Kafka", "running"), Step("Kafka", "done", 4.1), Step("Connect", "running"))
    place.steps.write_text("".join(step.to_json() for step in steps))
    lock = become_the_only_one(place)
    try:
        told = lab(tmp_path, "status")
    finally:
        os.close(lock)
    assert told.returncode == 0, told.stderr
    first, kafka, connect = told.stdout.splitlines()
    assert "still starting" in first
    assert "✓" in kafka
    assert "… " in connect


def test_a_lab_for_no_time_is_refused(tmp_path: Path) -> None:
    told = lab(tmp_path, "up", "--hours", "0")
    assert told.returncode != 0
    assert "--hours. Must be > 0" in told.stderr


def test_a_home_that_cannot_be_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = lab(tmp_path / "file" / "home", "up")
    assert told.returncode == 1
    assert f"{tmp_path}/file/home cannot be written to (Not a directory)" in told.stderr
    assert "MAINSTEM_HOME" in told.stderr
    assert "Traceback" not in told.stderr


def test_down_can_be_said_at_any_time(tmp_path: Path) -> None:
    told = lab(tmp_path, "down")
    assert told.returncode == 0
    assert "nothing to end" in told.stdout


def test_break_alone_lists_what_can_be_broken(tmp_path: Path) -> None:
    told = lab(tmp_path, "break")
    assert told.returncode == 0
    assert "kill -9 the Connect worker" in told.stdout


def test_breaking_no_lab_fails_with_a_clear_sentence(tmp_path: Path) -> None:
    told = lab(tmp_path, "break", "connector")
    assert told.returncode == 1
    assert "it is not running" in told.stderr
    assert "Traceback" not in told.stderr


def test_the_verbs_load_no_client_of_a_service() -> None:
    heavy = {"jgo", "requests", "confluent_kafka", "psycopg", "httpx2", "rich"}
    program = "import sys, mainstem.cli.lab; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert heavy & set(loaded.stdout.split()) == set()
