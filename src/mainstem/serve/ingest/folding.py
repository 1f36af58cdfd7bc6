"""The fold over a batch of events, in memory: pure, once the rows it speaks of are loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mainstem.names.dataset import DatasetName
from mainstem.serve.model import dataset as dataset_fold
from mainstem.serve.model import job as job_fold
from mainstem.serve.model import run as run_fold
from mainstem.serve.model.columns import columns_of_target
from mainstem.serve.model.dataset import Dataset, SchemaVersion
from mainstem.serve.model.job import Job
from mainstem.serve.model.json_values import as_object, as_objects, as_text
from mainstem.serve.model.pairs import entries, target
from mainstem.serve.model.versions import version_without_schema
from mainstem.serve.store.datasets import Columns
from mainstem.serve.store.surroundings import SourceSaid, Symlink

if TYPE_CHECKING:
    from mainstem.serve.model.event import Event, Mention
    from mainstem.serve.model.json_values import Json
    from mainstem.serve.model.run import Run
    from mainstem.serve.model.said import ColumnsSaid
    from mainstem.serve.store.catalog import Catalog

NO_JOB = 0


@dataclass(slots=True)
class Folding:
    """The rows that a batch touches, as they stand after the events taken so far."""

    catalog: Catalog
    jobs: dict[int, Job]
    runs: dict[str, Run]
    datasets: dict[int, Dataset]
    column_keys: dict[tuple[int, int], str]
    columns: dict[tuple[int, int], Columns] = field(default_factory=dict[tuple[int, int], Columns])
    versions: dict[tuple[int, str, str], SchemaVersion] = field(
        default_factory=dict[tuple[int, str, str], SchemaVersion]
    )
    namespaces: dict[str, int] = field(default_factory=dict[str, int])
    sources: dict[str, SourceSaid] = field(default_factory=dict[str, SourceSaid])
    source_births: dict[str, int] = field(default_factory=dict[str, int])
    symlinks: dict[Symlink, int] = field(default_factory=dict[Symlink, int])
    touched: set[tuple[int, int, bool]] = field(default_factory=set[tuple[int, int, bool]])
    """Which dataset which job touched, and whether it wrote."""

    doubtful: set[int] = field(default_factory=set[int])
    """Jobs with a run that began before it was thought, so that another may be their latest."""

    findable: set[tuple[bool, int]] = field(default_factory=set[tuple[bool, int]])
    """What must be indexed anew: whether it is a job, and its number."""

    def take(self, event: Event) -> None:
        """Fold one event."""
        run: Run | None = None
        job_number = NO_JOB
        if event.job is not None:
            job_number = self._job(event).id
            run = self._run(event, job_number)
        for mention in event.mentions:
            self._mention(event, mention, run, job_number)
        if run is not None and event.pairs is not None:
            number = self.catalog.dataset_number
            pairs = [(number(source), number(output)) for source, output in event.pairs]
            run_fold.fold_pairs(run, pairs, event.key)
        if "lineage" in event.job_facets:
            self._explicit_columns(event, job_number)

    def _job(self, event: Event) -> Job:
        assert event.job is not None  # noqa: S101 - asked only for events that have one
        number = self.catalog.job_number(event.job)
        job = self.jobs.get(number)
        if job is None:
            job = self.jobs[number] = Job(number, event.job, event.time, event.time)
            self.findable.add((True, number))
        if not event.job_facets.keys().isdisjoint(("ownership", "tags")):
            self.findable.add((True, number))
        job_fold.fold_event(job, event)
        self._seen(event.job.namespace, event.time)
        return job

    def _run(self, event: Event, job_number: int) -> Run:
        run = self.runs.get(event.run_id)
        if run is None:
            run = self.runs[event.run_id] = run_fold.new_run(event, job_number)
        elif event.time < run.created:
            self.doubtful.add(run.job_id)
        if event.key < run.job_key:
            self.doubtful |= {run.job_id, job_number} if run.job_id != job_number else set()
            run.job_id, run.job_key = job_number, event.key
        run_fold.fold_event(run, event)
        return run

    def _mention(self, event: Event, mention: Mention, run: Run | None, job_number: int) -> None:
        name = mention.dataset
        dataset = self._dataset(name, event.time)
        number = dataset.id
        version_before = dataset.version
        dataset_fold.fold_mention(dataset, mention, event)
        facets = mention.facets
        if dataset.version != version_before or not facets.keys().isdisjoint(("ownership", "tags")):
            self.findable.add((False, number))
        version = None if mention.schema is None else mention.schema.version
        if version is not None:
            self._version(number, version, event, mention)
        if run is not None and mention.written is not None:
            side = (number, mention.written)
            unsaid = version_without_schema(name)
            run_fold.fold_touch(
                run, side, event, version=version, unsaid=unsaid, io_facets=mention.io_facets
            )
            self.touched.add((number, job_number, mention.written))
        if mention.written is not False:
            self._columns(mention.columns, job_number, number, event)
        self._source(as_object(facets.get("dataSource")), event)
        self._symlinks(name, as_object(facets.get("symlinks")), event)

    def _dataset(self, name: DatasetName, time: int) -> Dataset:
        number = self.catalog.dataset_number(name)
        dataset = self.datasets.get(number)
        if dataset is None:
            dataset = self.datasets[number] = Dataset(number, name, time, time)
            self.findable.add((False, number))
        dataset.created = min(dataset.created, time)
        dataset.updated = max(dataset.updated, time)
        self._seen(name.namespace, time)
        return dataset

    def _explicit_columns(self, event: Event, job_number: int) -> None:
        for entry in entries(event.job_facets):
            name = target(entry)
            if name is not None:
                number = self.catalog.dataset_number(name)
                self._columns(columns_of_target(entry), job_number, number, event)

    def _columns(self, said: ColumnsSaid | None, job: int, dataset: int, event: Event) -> None:
        if said is None:
            return
        sources = tuple(self._dataset(name, event.time).id for name in said.sources)
        if event.key < self.column_keys.get((job, dataset), ""):
            return
        self.column_keys[job, dataset] = event.key
        self.columns[job, dataset] = Columns(
            job, dataset, event.key, tuple(sorted(sources)), said.facet
        )

    def _version(self, number: int, version: str, event: Event, mention: Mention) -> None:
        """Merge one word on a schema with those of the same batch."""
        place = (number, version, event.producer)
        wrote = mention.written is True
        known = self.versions.get(place)
        if known is None:
            known = self.versions[place] = SchemaVersion(
                *place, event.key, event.key, None, None, mention.facets
            )
        if event.key > known.last_key:
            known.last_key, known.facets = event.key, mention.facets
        known.first_key = min(known.first_key, event.key)
        if wrote and (known.writer_key is None or event.key < known.writer_key):
            known.writer_key, known.run_id = event.key, event.run_id

    def _source(self, said: Json, event: Event) -> None:
        name = as_text(said.get("name"))
        if not name:
            return
        self.source_births[name] = min(event.time, self.source_births.get(name, event.time))
        known = self.sources.get(name)
        if known is None or event.key > known.key:
            url = as_text(said.get("uri")) or ""
            self.sources[name] = SourceSaid(name, event.time, event.key, url)

    def _symlinks(self, name: DatasetName, said: Json, event: Event) -> None:
        for one in as_objects(said.get("identifiers")):
            namespace, other = as_text(one.get("namespace")), as_text(one.get("name"))
            if namespace and other:
                link = Symlink(name, DatasetName(namespace, other))
                self.symlinks[link] = min(event.time, self.symlinks.get(link, event.time))

    def _seen(self, namespace: str, time: int) -> None:
        self.namespaces[namespace] = min(time, self.namespaces.get(namespace, time))


def spoken_of(event: Event) -> set[DatasetName]:
    """Every dataset that the fold of an event will need."""
    names = {mention.dataset for mention in event.mentions}
    for mention in event.mentions:
        if mention.columns is not None:
            names.update(mention.columns.sources)
    for entry in entries(event.job_facets):
        told = columns_of_target(entry)
        names.update(() if told is None else told.sources)
    return names
