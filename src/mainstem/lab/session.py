"""The lab as a terminal uses it: start it, follow it, break and mend it, end it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from mainstem.clock import monotonic
from mainstem.errors import ServiceFailed
from mainstem.lab.control import ask, running_supervisor
from mainstem.lab.lines import GrowingFile
from mainstem.lab.place import Place
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.library import Library
from mainstem.lab.steps import Step
from mainstem.lab.supervisor import STAY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from mainstem.lab.control import Answer
    from mainstem.lab.scenarios.breakages import Told

SUPERVISOR = "mainstem.lab.supervisor"
SECONDS_TO_END = 60
SECONDS_TO_BE_TOLD = 60

Event = dict[str, Any]


class Session:
    """One person's use of the lab; the lab itself lives in the supervisor."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._home = mainstem_home(environment)
        self.place = Place(self._home / "lab")
        self.library = Library(self._home)
        self._supervisor: subprocess.Popen[bytes] | None = None

    def is_running(self) -> bool:
        """Whether a lab runs, started by us or by another terminal."""
        return running_supervisor(self.place) is not None

    def is_ready(self) -> bool:
        """Whether the lab that runs has come through its start."""
        return self.is_running() and self.place.state.exists()

    def steps_so_far(self) -> list[Step]:
        """What a start has told up to now, ours or another terminal's."""
        return [Step.from_json(line) for line in GrowingFile(self.place.steps).new_lines()]

    def make_home(self) -> None:
        """Make the directory that everything lies in, or say why it cannot be."""
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._home):
                pass
        except OSError as error:
            wish = "set MAINSTEM_HOME to a directory of yours"
            reason = f"{self._home} cannot be written to ({error.strerror}); {wish}"
            raise ServiceFailed("lab", reason) from error

    def launch(self, hours: float, pattern: str, installer: int | None) -> None:
        """Start the supervisor; unless it is told to stay it ends when we end."""
        started_with = [str(self.place.directory), str(hours), pattern]
        if installer is not None:
            started_with.append(str(installer))
        self.place.steps.unlink(missing_ok=True)
        with self.place.supervisor_log.open("wb") as log:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-m", SUPERVISOR, *started_with],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def steps(self) -> Iterator[Step]:
        """Each step of the start as it happens; a failed one raises after it was given."""
        story = GrowingFile(self.place.steps)
        while True:
            ended = not self._is_ours()
            for line in story.new_lines():
                step = Step.from_json(line)
                yield step
                if step.state == "ready":
                    return
            if ended:
                log = self.place.supervisor_log
                last = (log.read_text().strip().splitlines() or ["it ended"])[-1]
                raise ServiceFailed("lab", f"it did not start: {last}", str(log))
            time.sleep(0.1)

    def let_stay(self) -> None:
        """Let the lab run on after this process ends."""
        if self._supervisor and self._supervisor.stdin:
            self._supervisor.stdin.write(STAY)
            self._supervisor.stdin.close()

    def end(self) -> bool:
        """End the lab and everything in it; False if none was running."""
        if self._supervisor is not None and self._is_ours():
            # It may not hold the lock yet, and then nobody else would find it.
            self._supervisor.terminate()
            self._supervisor.wait()
            return True
        pid = running_supervisor(self.place)
        if pid is None:
            return False
        os.kill(pid, signal.SIGTERM)
        if not self._has_ended():
            # Linux ends the services of a supervisor that is killed.
            os.kill(pid, signal.SIGKILL)
            self._has_ended()
        return True

    def status(self) -> Answer:
        """What runs, where, and what is broken."""
        return ask(self.place, do="status")

    def events(self) -> LineageFile:
        """The lineage that is told, from its beginning."""
        return LineageFile(self.place)

    def change(self, **request: str) -> Answer:
        """Ask for something to be broken or mended."""
        return ask(self.place, **request)

    def _is_ours(self) -> bool:
        return self._supervisor is not None and self._supervisor.poll() is None

    def _has_ended(self) -> bool:
        deadline = monotonic() + SECONDS_TO_END
        while self.is_running():
            if monotonic() > deadline:
                return False
            time.sleep(0.1)
        return True


class LineageFile:
    """The events that the programs of the lab tell, each given once."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._files: dict[Path, GrowingFile] = {}

    def new(self) -> list[Event]:
        """The events that came since the last call."""
        for path in self._place.every_events_file():
            if path not in self._files:
                self._files[path] = GrowingFile(path)
        return [json.loads(line) for file in self._files.values() for line in file.new_lines()]

    def until(self, awaited: Told) -> Iterator[Event]:
        """New events up to the one awaited; raises if it does not come."""
        deadline = monotonic() + SECONDS_TO_BE_TOLD
        while monotonic() < deadline:
            for event in self.new():
                yield event
                if awaited.is_in(event):
                    return
            time.sleep(0.2)
        raise ServiceFailed("lab", f"{awaited} was not told in {SECONDS_TO_BE_TOLD} s")
