"""kill -9 of a real process while it stores and drains: nothing lost, no run reordered."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from outbox.backend import Backend, running_backend

PROGRAM = Path(__file__).with_name("killed_program.py")


def start(directory: Path, backend: Backend, events: int) -> subprocess.Popen[str]:
    paths = (directory / "journal.db", directory / "events.ndjson", f"{backend.url}/api/v1/lineage")
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), *map(str, paths), str(events)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def kill_soon(process: subprocess.Popen[str], chance: random.Random) -> None:
    threading.Event().wait(chance.uniform(0.0, 0.25))
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def check_numbers(numbers: list[int], events: int) -> None:
    """All are there, and what each run says first is in order; a resend may repeat one."""
    firsts = list(dict.fromkeys(numbers))
    assert sorted(firsts) == list(range(events))
    for run in range(5):
        of_run = [number for number in firsts if number % 5 == run]
        assert of_run == sorted(of_run)


def kill_and_finish(directory: Path, kills: int, events: int) -> None:
    chance = random.Random(kills)
    with running_backend() as backend:
        for _ in range(kills):
            kill_soon(start(directory, backend, events), chance)
        with start(directory, backend, events) as last:
            try:
                output, _ = last.communicate(timeout=300)
            finally:
                last.kill()
        assert output == "done\n"
        by_http = [json.loads(body)["n"] for body in backend.accepted]
    lines = (directory / "events.ndjson").read_text().splitlines()
    by_file = [json.loads(line)["n"] for line in lines if line.endswith("}")]
    check_numbers(by_http, events)
    check_numbers(by_file, events)
    # One event at most is under way per destination when the process dies.
    assert len(by_http) <= events + kills
    assert len(lines) <= events + 2 * kills


def test_killed_a_few_times(tmp_path: Path) -> None:
    kill_and_finish(tmp_path, kills=3, events=400)


@pytest.mark.soak
def test_killed_a_hundred_times(tmp_path: Path) -> None:
    kill_and_finish(tmp_path, kills=100, events=8000)
