"""kill -9 of the watcher at random instants of a scripted life on a real worker."""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from watch.live import Buttons, WatcherProcess

pytestmark = pytest.mark.lab

JOB = "killed over"
PRESSES = (
    ("pause", "COMPLETE"),
    ("resume", "START"),
    ("stop", "COMPLETE"),
    ("resume", "START"),
)
TERMINAL = {"COMPLETE", "FAIL", "ABORT"}


class Killer(threading.Thread):
    """Kills the watcher at random instants and starts it again, a number of times."""

    def __init__(self, watcher: WatcherProcess, kills: int, seed: int) -> None:
        super().__init__()
        self._watcher = watcher
        self._kills = kills
        self._random = random.Random(seed)
        self._ended = threading.Event()

    def run(self) -> None:
        for _ in range(self._kills):
            # starting takes a second, and three on a busy machine; from there on any line may be
            # the last, but some lives must be long enough to get work done at all
            self._ended.wait(self._random.uniform(0.3, 4.0))
            self._watcher.kill()
            self._watcher.start()

    def is_done(self) -> bool:
        return not self.is_alive()


@pytest.mark.parametrize(
    "kills", [10, pytest.param(100, marks=pytest.mark.soak)], ids=["10", "100"]
)
def test_nothing_is_lost_told_twice_or_out_of_order(
    kills: int, connect: ConnectWorker, kafka: KafkaBroker, tmp_path: Path
) -> None:
    buttons = Buttons(connect.url)
    watcher = WatcherProcess(tmp_path, connect.url, kafka.bootstrap)
    buttons.put(
        JOB,
        {
            "connector.class": "FileStreamSink",
            "topics": "killed-lines",
            "file": str(tmp_path / "out.txt"),
        },
    )
    story = ["START"]
    watcher.start()
    killer = Killer(watcher, kills, seed=kills)
    killer.start()
    try:
        for button, told in _presses_until(killer):
            watcher.wait_for(JOB, *story)
            buttons.press(JOB, button)
            story.append(told)
        watcher.wait_for(JOB, *story)
        buttons.delete(JOB)
        story.append("COMPLETE")
        watcher.wait_for(JOB, *story)
    finally:
        killer.join()
        watcher.kill()
        buttons.close()
    _check(watcher, story)


def _presses_until(killer: Killer) -> Iterator[tuple[str, str]]:
    """Whole rounds of presses, until the killer has done all its kills."""
    while True:
        yield from PRESSES
        if killer.is_done():
            return


def _check(watcher: WatcherProcess, story: list[str]) -> None:
    lines = watcher.events_file.read_bytes().splitlines()
    assert len(lines) == len(set(lines)), "an event stands twice in the file"
    runs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in watcher.events(JOB):
        runs[event["run"]["runId"]].append(event)
    assert len(runs) == story.count("START")
    for events in runs.values():
        types = [event["eventType"] for event in events]
        assert types[0] == "START"
        assert types.count("START") == 1
        assert types[-1] in TERMINAL
        assert not TERMINAL & set(types[:-1])
        times = [event["eventTime"] for event in events]
        assert times == sorted(set(times))
