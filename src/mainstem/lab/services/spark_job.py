"""A Spark application of the lab, started as a user starts it: ``python script.py``."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from mainstem.lab.lines import GrowingFile
from mainstem.lab.services.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SECONDS_TO_FINISH = 300.0


class SparkJob(Service):
    """One driver with its JVM; a stream is ready when its START was told."""

    seconds_to_start = 240.0
    seconds_to_stop = 40.0

    def __init__(
        self,
        directory: Path,
        script: Path,
        arguments: Sequence[str | Path],
        environment: Mapping[str, str],
        *,
        events: Path,
        told_as: str,
    ) -> None:
        self.name = script.stem.replace("_", "-")
        super().__init__(directory)
        self._script = script
        self._arguments = arguments
        self._environment = environment
        self._events = events
        self._told_as = told_as

    def prepare(self) -> None:
        """Look at what is told from now on alone."""
        self._told = GrowingFile(self._events)
        self._told.new_lines()

    def command(self) -> Sequence[str | Path]:
        """The script with its arguments."""
        return [sys.executable, self._script, *self._arguments]

    def environment(self) -> Mapping[str, str]:
        """What Spark and the OpenLineage clients read."""
        return self._environment

    def is_ready(self) -> bool:
        """Whether the job that it is known by has started."""
        told = map(json.loads, self._told.new_lines())
        return any(
            (event.get("eventType"), event["job"]["name"]) == ("START", self._told_as)
            for event in told
        )

    def also(self, *arguments: str) -> SparkJob:
        """The same job with more arguments, not started."""
        return SparkJob(
            self.directory,
            self._script,
            (*self._arguments, *arguments),
            self._environment,
            events=self._events,
            told_as=self._told_as,
        )

    def run(self) -> None:
        """Start it, and return when it has ended well."""
        self.launch()
        code = self.wait()
        if code != 0:
            raise self.failure(f"ended with code {code}")

    def wait(self) -> int:
        """Its exit code, once it has ended by itself."""
        if self._process is None:
            raise self.failure("was not started")
        try:
            return self._process.wait(SECONDS_TO_FINISH)
        except subprocess.TimeoutExpired:
            self.kill()
            raise self.failure(f"did not end in {SECONDS_TO_FINISH:.0f} s") from None
