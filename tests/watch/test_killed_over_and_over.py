"""kill -9 of the watcher at random instants over many transitions of a cluster that is served."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from pathlib import Path

import pytest

from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from watch.live import WatcherProcess
from watch.test_killed_watcher import Killer

pytestmark = pytest.mark.lab

CONNECTORS = 20
FILE_SINK = {"connector.class": "FileStreamSink", "file": "/data/out.txt", "topics": "lines"}
PATIENCE_SECONDS = 120.0


class Story:
    """What was told so far, read on from where the last reading ended."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0
        self.lines: list[bytes] = []
        self.told: dict[str, list[tuple[str, str]]] = defaultdict(list)

    def read_on(self) -> None:
        if not self._file.exists():
            return
        with self._file.open("rb") as file:
            file.seek(self._read)
            whole, _, _ = file.read().rpartition(b"\n")
        if not whole:
            return
        self._read += len(whole) + 1
        for line in whole.split(b"\n"):
            event = json.loads(line)
            self.lines.append(line)
            if event["eventType"] != "RUNNING":
                run = event["run"]["runId"]
                self.told[event["job"]["name"]].append((event["eventType"], run))

    def types(self, job: str) -> list[str]:
        return [kind for kind, _ in self.told[job]]

    def wait_for(self, expected: dict[str, list[str]]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while {job: self.types(job) for job in expected} != expected:
            assert time.monotonic() < deadline, {
                job: (self.types(job)[-3:], types[-3:])
                for job, types in expected.items()
                if self.types(job) != types
            }
            time.sleep(0.05)
            self.read_on()


@pytest.mark.parametrize(
    ("kills", "transitions"),
    [(5, 100), pytest.param(1_000, 10_000, marks=pytest.mark.soak)],
    ids=["few", "1,000 over 10,000"],
)
def test_0_lost_and_0_second_starts(kills: int, transitions: int, tmp_path: Path) -> None:
    connect = FakeConnect()
    expected = {f"sink-{number}": ["START"] for number in range(CONNECTORS)}
    for name in expected:
        connect.create(name, FILE_SINK)
    with FakeConnectServer(connect) as server:
        watcher = WatcherProcess(tmp_path, server.url, "b1:9092")
        story = Story(watcher.events_file)
        watcher.start()
        killer = Killer(watcher, kills, seed=kills)
        killer.start()
        try:
            done = 0
            while done < transitions or not killer.is_done():
                story.wait_for(expected)
                pause = done // CONNECTORS % 2 == 0
                for name, types in expected.items():
                    (connect.pause if pause else connect.resume)(name)
                    types.append("COMPLETE" if pause else "START")
                done += CONNECTORS
            story.wait_for(expected)
        finally:
            killer.join()
            watcher.kill()
    assert len(story.lines) == len(set(story.lines)), "an event stands twice in the file"
    for told in story.told.values():
        starts = [run for kind, run in told if kind == "START"]
        assert len(starts) == len(set(starts))
        for (_, began), (_, ended) in zip(told[::2], told[1::2], strict=False):
            assert began == ended
