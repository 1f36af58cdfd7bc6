"""A run as the fold of its events, by the rules that hold for every reader of OpenLineage here."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.doctor.picture import JobName
from mainstem.doctor.reading.said import (
    Connector,
    JobType,
    connector_of,
    entries_of,
    job_type_of,
    parent_of,
)
from mainstem.names.dataset import DatasetName

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from mainstem.doctor.reading.said import Event, Key

_STATES = {"COMPLETE": "COMPLETED", "ABORT": "ABORTED", "FAIL": "FAILED"}
Pair = tuple[DatasetName, DatasetName]


class Reach(NamedTuple):
    """What a run reads and writes."""

    inputs: list[DatasetName]
    outputs: list[DatasetName]
    pairs: list[Pair] | None


class RunFold:
    """One run, or one description of a job, which is folded alike."""

    def __init__(self, job: JobName, run_id: str, key: Key) -> None:
        self.job = job
        self.id = run_id
        self.is_declared = True
        self.first = self.last = key
        self.named: Key | None = None
        self.job_type = JobType()
        self.connector = Connector()
        self.parent: JobName | None = None
        self._end: tuple[Key, str] | None = None
        self._touches: dict[tuple[DatasetName, bool], Key] = {}
        self._pairs: dict[Pair, Key] = {}
        self._explicit: Key | None = None

    def add(self, event: Event, job: JobName, key: Key) -> None:
        """Add one event of this run; a run that is told of several jobs is its first one's."""
        if key <= self.first:
            self.job = job
        self.is_declared = self.is_declared and event.run is None
        self.first, is_latest = min(self.first, key), key >= self.last
        self.last = max(self.last, key)
        if event.event_type in _STATES and (self._end is None or key < self._end[0]):
            self._end = (key, event.event_type)
        if is_latest:
            self._describe(event)
        for mentions, written in ((event.inputs, False), (event.outputs, True)):
            for one in mentions or ():
                self._touch(one.dataset, key, written=written)
        self._relate(event, key)

    def _describe(self, event: Event) -> None:
        if event.job is not None and "jobType" in event.job.facets:
            self.job_type = job_type_of(event.job.facets)
        if event.run is not None:
            if "mainstem_connector" in event.run.facets:
                self.connector = connector_of(event.run.facets)
            parent = parent_of(event.run.facets)
            if parent is not None:
                self.parent = JobName(parent.namespace, parent.name)

    def _touch(self, name: DatasetName, key: Key, *, written: bool) -> None:
        side = (name, written)
        self._touches[side] = max(key, self._touches.get(side, key))
        self.named = max(key, self.named or key)

    def _relate(self, event: Event, key: Key) -> None:
        """Add which input becomes which output, where an event says so."""
        entries = entries_of(event.job.facets) if event.job else None
        if entries is None:
            return
        self._explicit = max(key, self._explicit or key)
        for entry in entries:
            for source in entry.sources():
                if source.namespace and source.name and source.type != "JOB":
                    pair = (
                        DatasetName(source.namespace, source.name),
                        DatasetName(entry.namespace, entry.name),
                    )
                    self._pairs[pair] = max(key, self._pairs.get(pair, key))

    @property
    def state(self) -> str:
        """Marquez's word for where it stands."""
        return _STATES[self._end[1]] if self._end else "RUNNING"

    @property
    def heartbeat(self) -> float | None:
        """Seconds between the signs of life that it promised, while it goes on."""
        pattern = self.job_type.emission_pattern
        window = pattern.window_duration if pattern else None
        return window if window and window > 0 and self._end is None else None

    def order(self) -> tuple[datetime, str]:
        """What orders the runs of a job."""
        return self.first[0], self.id

    def reach(self) -> Reach:
        """What it reads and writes; of a run that tells all each time, what it told last."""
        only = self.named if self._is_snapshot else None
        sides = [side for side, last in self._touches.items() if only is None or last == only]
        inputs = sorted(name for name, written in sides if not written)
        outputs = sorted(name for name, written in sides if written)
        if self._explicit is None or (only is not None and self._explicit != only):
            return Reach(inputs, outputs, None)
        return Reach(inputs, outputs, sorted(self._standing(only)))

    def _standing(self, only: Key | None) -> Iterator[Pair]:
        return (pair for pair, last in self._pairs.items() if only is None or last == only)

    @property
    def _is_snapshot(self) -> bool:
        pattern = self.job_type.emission_pattern
        return (
            pattern is not None
            and pattern.event_trigger == "PERIODIC"
            and pattern.event_content_mode == "COMPLETE_SNAPSHOT"
        )
