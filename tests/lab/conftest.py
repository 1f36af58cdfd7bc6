"""A lab that runs in this process, one start per pattern for all tests that ask for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from mainstem.lab.lines import GrowingFile
from mainstem.lab.place import Place
from mainstem.lab.scenarios.breakages import Told
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.scenarios.pipeline import Pipeline, files_of
from mainstem.lab.scenarios.seeing import wait_for
from mainstem.lab.services.library import Library
from mainstem.lab.session import LineageFile
from mainstem.lab.steps import perform
from mainstem.lab.supervisor import Supervisor

TERMINAL = ("COMPLETE", "FAIL", "ABORT")
STATES = {"COMPLETED": "COMPLETE", "FAILED": "FAIL", "ABORTED": "ABORT"}
OPEN = ""
"""The end of a run that has none."""


@dataclass(frozen=True)
class RunningLab:
    """The lab after a whole start."""

    pipeline: Pipeline
    supervisor: Supervisor
    place: Place

    def ends(self, job: str) -> list[str]:
        """How each run of a job ended, the oldest first, as the events on disk tell it."""
        return [end for _run, end in self._runs(job)]

    def await_ends(self, job: str, wanted: list[str]) -> None:
        """Return when the events on disk and the API both tell these ends."""

        def told() -> bool:
            return self.ends(job) == wanted == self._ends_by_api(job)

        def why_not() -> list[str]:
            return [f"{wanted} wanted, {self.ends(job)} on disk, {self._ends_by_api(job)} by API"]

        wait_for(f"the ends of {job}", told, why_not)

    def break_and_see(self, name: str) -> None:
        """Break something, and return when what is to be expected was told."""
        self._change(do="break", name=name)

    def heal_and_see(self) -> None:
        """Mend it, and return when what is to be expected was told."""
        self._change(do="heal", name="")

    def _change(self, **request: str) -> None:
        lineage = LineageFile(self.place)
        lineage.new()
        answer = self.supervisor.handle(request)
        if "type" in answer:
            list(lineage.until(Told(answer["type"], answer["job"], answer["field"])))

    def _runs(self, job: str) -> list[tuple[str, str]]:
        ends: dict[str, str] = {}
        for event in self._events(job):
            run = event["run"]["runId"]
            kind = event["eventType"]
            ends[run] = kind if kind in TERMINAL else ends.get(run, OPEN)
        return list(ends.items())

    def _ends_by_api(self, job: str) -> list[str]:
        states = {
            run["id"]: STATES.get(run["state"], OPEN)
            for run in self._ask(f"jobs/{job}/runs?limit=1000")["runs"]
        }
        return [states.get(run, "unknown") for run, _end in self._runs(job)]

    def _ask(self, path: str) -> dict[str, Any]:
        address = f"{self.pipeline.backend.url}/api/v1/namespaces/lab/{path}"
        return httpx2.get(address, timeout=30, trust_env=False).raise_for_status().json()

    def _events(self, job: str) -> Iterator[dict[str, Any]]:
        for path in self.place.every_events_file():
            events = map(json.loads, GrowingFile(path).new_lines())
            yield from (one for one in events if "run" in one and one["job"]["name"] == job)


class Labs:
    """One lab at a time, kept as long as the tests that follow want the same pattern."""

    def __init__(self, library: Library, directories: pytest.TempPathFactory) -> None:
        self._library = library
        self._directories = directories
        self._lab: RunningLab | None = None

    def of(self, pattern: Pattern) -> RunningLab:
        """The lab with this pattern."""
        if self._lab is None or self._lab.pipeline.pattern is not pattern:
            self.stop()
            self._lab = self._start(pattern)
        return self._lab

    def stop(self) -> None:
        """End the lab that runs."""
        if self._lab is not None:
            self._lab.pipeline.stop()
        self._lab = None

    def _start(self, pattern: Pattern) -> RunningLab:
        place = Place(self._directories.mktemp(pattern.value) / "lab")
        for name in files_of(pattern):
            self._library.ensure(name)
        pipeline = Pipeline(place, self._library, pattern)
        pipeline.clear()
        try:
            perform(pipeline.tasks(), place.steps)
        except BaseException:
            pipeline.stop()
            raise
        return RunningLab(pipeline, Supervisor(pipeline, place), place)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one pattern stand together, so that they share one start of the lab."""
    places = [index for index, item in enumerate(items) if _pattern(item)]
    sharing = sorted((items[index] for index in places), key=lambda item: _pattern(item) or "")
    for index, item in zip(places, sharing, strict=True):
        items[index] = item


def _pattern(item: pytest.Item) -> str | None:
    called: Any = getattr(item, "callspec", None)
    return called.params.get("running_lab") if called else None


@pytest.fixture(scope="session")
def labs(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Labs]:
    """What starts and ends the lab."""
    labs = Labs(library, tmp_path_factory)
    yield labs
    labs.stop()


@pytest.fixture
def running_lab(request: pytest.FixtureRequest, labs: Labs) -> RunningLab:
    """The lab with one pattern, which the test asks for as a parameter."""
    return labs.of(request.param)
