"""kill -9 of the watcher at random instants over many transitions of a cluster that is served."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from watch.live import WatcherProcess

pytestmark = pytest.mark.lab

CONNECTORS = 20
FILE_SINK = {"connector.class": "FileStreamSink", "file": "/data/out.txt", "topics": "lines"}
STUCK_SECONDS = 600.0
"""Not a line in this time, although every fourth watcher is left alone until it tells one."""


class QuickWatcher(WatcherProcess):
    """The same program with the same arguments, forked from a process that has it loaded."""

    def __init__(self, directory: Path, url: str) -> None:
        super().__init__(directory, url, "b1:9092")
        nursery = [sys.executable, str(Path(__file__).with_name("nursery.py")), str(self.log)]
        self._nursery = subprocess.Popen(
            [*nursery, *self._command[3:]],
            env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def start(self) -> None:
        self._order("start")

    def kill(self) -> None:
        self._order("kill")

    def close(self) -> None:
        """End the last one and what it came from."""
        self._nursery.communicate()

    def _order(self, word: str) -> None:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        print(word, file=self._nursery.stdin, flush=True)
        assert self._nursery.stdout.readline(), self.log.read_text()[-3000:]


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
        lines, since = len(self.lines), time.monotonic()
        while {job: self.types(job) for job in expected} != expected:
            if len(self.lines) > lines:
                lines, since = len(self.lines), time.monotonic()
            assert time.monotonic() < since + STUCK_SECONDS, {
                job: (self.types(job)[-3:], types[-3:])
                for job, types in expected.items()
                if self.types(job) != types
            }
            time.sleep(0.02)
            self.read_on()


def no_evidence() -> int:
    return 0


class Killer(threading.Thread):
    """Kills the watcher at a random instant after something was seen of it, again and again.

    What it waits for is evidence and not time, so that a busy machine makes it slower and no other
    lives shorter: one in four ends while it starts, two after their first request, and one after
    it was heard.
    """

    def __init__(
        self,
        watcher: QuickWatcher,
        kills: int,
        requests: Callable[[], int],
        lines: Callable[[], int],
    ) -> None:
        super().__init__()
        self._watcher = watcher
        self._kills = kills
        self._requests = requests
        self._lines = lines
        self._random = random.Random(kills)
        self._over = threading.Event()
        self.killed = 0

    def run(self) -> None:
        while self.killed < self._kills and not self._over.is_set():
            evidence, within = self._life()
            before = evidence()
            while evidence is not no_evidence and evidence() == before:
                if self._over.wait(0.005):
                    return
            self._over.wait(self._random.uniform(0.0, within))
            self._watcher.kill()
            self._watcher.start()
            self.killed += 1

    def _life(self) -> tuple[Callable[[], int], float]:
        """What must grow before it may die, and the longest that it lives from there."""
        match self.killed % 4:
            case 0:
                return no_evidence, 0.2
            case 3:
                return self._lines, 0.05
            case _:
                return self._requests, 0.3

    def end(self) -> None:
        self._over.set()
        self.join()


@pytest.mark.parametrize(
    ("kills", "transitions"),
    [(25, 200), pytest.param(1_000, 10_000, marks=pytest.mark.soak)],
    ids=["25 over 200", "1,000 over 10,000"],
)
def test_0_lost_and_0_second_starts(kills: int, transitions: int, tmp_path: Path) -> None:
    connect = FakeConnect()
    expected = {f"sink-{number}": ["START"] for number in range(CONNECTORS)}
    for name in expected:
        connect.create(name, FILE_SINK)
    with FakeConnectServer(connect) as server:
        watcher = QuickWatcher(tmp_path, server.url)
        story = Story(watcher.events_file)
        watcher.start()
        killer = Killer(watcher, kills, lambda: len(connect.requests), lambda: len(story.lines))
        killer.start()
        done = 0
        try:
            while done < transitions or killer.is_alive():
                story.wait_for(expected)
                pause = done // CONNECTORS % 2 == 0
                for name, types in expected.items():
                    (connect.pause if pause else connect.resume)(name)
                    types.append("COMPLETE" if pause else "START")
                done += CONNECTORS
            story.wait_for(expected)
        finally:
            killer.end()
            watcher.close()
    assert killer.killed == kills
    sys.stdout.write(f"{kills} kills over {done} transitions, {len(story.lines)} events told\n")
    assert len(story.lines) == len(set(story.lines)), "an event stands twice in the file"
    for told in story.told.values():
        starts = [run for kind, run in told if kind == "START"]
        assert len(starts) == len(set(starts))
        for (_, began), (_, ended) in zip(told[::2], told[1::2], strict=False):
            assert began == ended
