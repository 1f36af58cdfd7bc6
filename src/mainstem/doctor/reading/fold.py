"""From events to a picture, by the same rules as the backend's: a job is what its last run did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.doctor.picture import Job, JobName, Picture
from mainstem.doctor.reading.columns import ColumnFold
from mainstem.doctor.reading.datasets import DatasetFold
from mainstem.doctor.reading.runs import RunFold
from mainstem.doctor.reading.said import job_type_of
from mainstem.names.dataset import DatasetName

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from mainstem.doctor.picture import Link
    from mainstem.doctor.reading.runs import Pair
    from mainstem.doctor.reading.said import Event, JobType, Key

    Places = dict[DatasetName, int]

MISSED_HEARTBEATS = 3


class Fold:
    """Takes events in any order; ``picture`` is what they tell together."""

    def __init__(self, links: tuple[Link, ...] = ()) -> None:
        self._links = links
        self._datasets = DatasetFold([(one.namespace, one.other_namespace) for one in links])
        self._columns = ColumnFold()
        self._runs: dict[str, RunFold] = {}
        self._types: dict[JobName, tuple[Key, JobType]] = {}
        self._latest: datetime | None = None

    def add(self, event: Event, key: Key) -> None:
        """Add one event."""
        self._latest = max(self._latest or key[0], key[0])
        if event.dataset is not None:
            self._datasets.add(event.dataset, key, event.producer, written=False)
        if event.job is None:
            return
        for mentions, written in ((event.inputs, False), (event.outputs, True)):
            for one in mentions or ():
                self._datasets.add(one, key, event.producer, written=written)
        job = JobName(event.job.namespace, event.job.name)
        # A job's description without a run counts as one of its own: a later one replaces it.
        run_id = event.run.run_id if event.run else f"{job.namespace}\0{job.name}\0{key}"
        if run_id not in self._runs:
            self._runs[run_id] = RunFold(job, run_id, key)
        self._runs[run_id].add(event, job, key)
        self._columns.add(job, event, key)
        if job not in self._types or key >= self._types[job][0]:
            self._types[job] = (key, job_type_of(event.job.facets))

    def picture(self) -> Picture | None:
        """What all events tell, as of the latest of them; None where there was none."""
        if self._latest is None:
            return None
        datasets, places = self._datasets.merged()
        runs: dict[JobName, list[RunFold]] = {}
        for run in self._runs.values():
            runs.setdefault(run.job, []).append(run)
        jobs = tuple(
            self._job(runs[name], places, self._latest) if name in runs else _job(name, kind)
            for name, (_, kind) in sorted(self._types.items())
        )
        return Picture(self._latest, tuple(datasets), jobs, self._links)

    def _job(self, runs: list[RunFold], places: Places, now: datetime) -> Job:
        latest = max((run for run in runs if not run.is_declared), key=RunFold.order, default=None)
        current = max((run for run in runs if run.named), key=RunFold.order, default=None)
        source = latest or current or runs[0]
        job = replace(
            _job(source.job, source.job_type),
            parent=source.parent,
            connector_class=source.connector.connector_class,
            unresolved=tuple(source.connector.unresolved),
        )
        if current is not None:
            job = _with_reach(job, current, self._columns, places)
        return job if latest is None else _with_run(job, latest, now)


def _job(name: JobName, kind: JobType) -> Job:
    return Job(
        name,
        integration=kind.integration,
        type=kind.job_type,
        streaming=kind.processing_type in ("STREAMING", "STREAM"),
    )


def _with_run(job: Job, run: RunFold, now: datetime) -> Job:
    told, beat = run.last[0], run.heartbeat
    silent = (now - told).total_seconds()
    return replace(
        job,
        state=run.state,
        stale=beat is not None and silent > MISSED_HEARTBEATS * beat,
        heartbeat=beat,
        began=run.first[0],
        told=told,
    )


def _with_reach(job: Job, run: RunFold, told: ColumnFold, places: Places) -> Job:
    """A job that reads and writes what a run did."""
    reach = run.reach()
    columns = told.of(run.job, reach.outputs)
    read: dict[int, set[str]] = {}
    for sources in columns.values():
        for name, names in sources.items():
            if name in places:
                read.setdefault(places[name], set()).update(names)
    return replace(
        job,
        inputs=_placed(reach.inputs, places),
        outputs=_placed(reach.outputs, places),
        pairs=None if reach.pairs is None else _placed_pairs(reach.pairs, places),
        evidence={
            places[name]: edge.evidence
            for edge in reversed(run.connector.edges)
            for end in (edge.input, edge.output)
            if (name := DatasetName(end.namespace, end.name)) in places
        },
        columns_made=frozenset(places[output] for output in columns),
        columns_read={place: frozenset(names) for place, names in read.items()},
    )


def _placed_pairs(pairs: Iterable[Pair], places: Places) -> tuple[tuple[int, int], ...]:
    known = {(places[a], places[b]) for a, b in pairs if a in places and b in places}
    return tuple(sorted(known))


def _placed(names: Iterable[DatasetName], places: Places) -> tuple[int, ...]:
    return tuple(dict.fromkeys(places[name] for name in names))
