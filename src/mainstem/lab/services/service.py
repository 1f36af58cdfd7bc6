"""One process of the lab: started, waited for, ended, and its log told when it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.clock import monotonic
from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEASH = Path(__file__).with_name("leash.py")
TAIL_LINES = 30


class Service(ABC):
    """A process with three questions to answer: how to start it, whether it is ready, its log.

    ``start`` after ``stop`` or ``kill`` starts it again on the same port and with the same data.
    Start it from a thread that lives as long as the service: Linux takes the end of the starting
    thread for the end of the owner.
    """

    name: str
    """What people call it, in messages and as the name of its log."""
    stop_signal = signal.SIGTERM
    owner_died_signal = signal.SIGKILL
    """What it gets when its owner is gone."""
    user: str | None = None
    """Whom it runs as; None is whoever started us."""
    seconds_to_start = 120.0
    seconds_to_stop = 20.0

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.log = directory / f"{self.name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def command(self) -> Sequence[str | Path]:
        """The program and its arguments."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it does its work for a client, asked again and again while it starts."""

    @abstractmethod
    def prepare(self) -> None:
        """Write what the program reads when it starts."""

    def environment(self) -> Mapping[str, str]:
        """The environment of the program."""
        return os.environ

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process and self.is_alive() else None

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it and return when it is ready."""
        self.launch()
        self.wait_until_ready()

    def launch(self) -> None:
        """Start it and return at once; what is left of an earlier start is ended first."""
        self.kill()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.prepare()
        leash = [sys.executable, "-I", "-S", LEASH, str(os.getpid())]
        leash += [str(int(self.owner_died_signal)), self.user or ""]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*leash, *self.command()],
                cwd=self.directory,
                env=dict(self.environment()),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until_ready(self) -> None:
        """Return when it is ready; a service that dies or never comes up says why."""
        deadline = monotonic() + self.seconds_to_start
        while not self.is_ready():
            if not self.is_alive():
                raise self.failure("ended while starting")
            if monotonic() > deadline:
                self.kill()
                raise self.failure(f"was not ready after {self.seconds_to_start:.0f} s")
            time.sleep(0.1)

    def stop(self) -> None:
        """End it in order, and by force if it does not listen."""
        if self._process is None:
            return
        self._process.send_signal(self.stop_signal)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(self.seconds_to_stop)
        self.kill()

    def kill(self) -> None:
        """End it and what it started at once, as a crash does."""
        if self._process is not None:
            # Also after it ended by itself: a JVM that was still starting outlives its driver.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def failure(self, reason: str) -> ServiceFailed:
        """The error that says what the end of the log says."""
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        tail = "\n".join(f"  {line}" for line in lines[-TAIL_LINES:])
        return ServiceFailed(self.name, f"{reason}; the end of its log:\n{tail}", str(self.log))
