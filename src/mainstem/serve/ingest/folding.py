"""The fold over a batch of events, in memory: pure, once the rows it speaks of are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.said.columns import columns_of_target
from mainstem.said.pairs import entries, target
from mainstem.said.versions import version_without_schema
from mainstem.serve.model import dataset as dataset_fold
from mainstem.serve.model import job as job_fold
from mainstem.serve.model import run as run_fold
from mainstem.serve.model.dataset import Dataset, SchemaVersion, is_older, merge_version
from mainstem.serve.model.job import Job
from mainstem.serve.store.surroundings import SourceSaid, Symlink

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.names.dataset import DatasetName
    from mainstem.said.columns import ColumnsSaid
    from mainstem.said.event import Mention
    from mainstem.serve.model.event import Event
    from mainstem.serve.model.run import Run
    from mainstem.serve.store.catalog import Catalog
    from mainstem.serve.store.recent import ColumnsPlace, VersionPlace

NO_JOB = 0


class Folding(Struct):
    """The rows that a batch touches, as they stand after the events taken so far."""

    catalog: Catalog
    jobs: dict[int, Job]
    runs: dict[str, Run]
    datasets: dict[int, Dataset]
    known_versions: dict[VersionPlace, SchemaVersion]
    known_columns: dict[ColumnsPlace, tuple[str, str]]
    versions: dict[VersionPlace, SchemaVersion] = field(
        default_factory=dict["VersionPlace", SchemaVersion]
    )
    """Those that differ from what is stored."""

    columns: dict[ColumnsPlace, tuple[str, str]] = field(
        default_factory=dict["ColumnsPlace", tuple[str, str]]
    )
    """Order key and digest of what was told of columns."""

    column_facets: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """By digest, what was told that may not be kept yet."""

    column_sources: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    namespaces: dict[str, int] = field(default_factory=dict[str, int])
    sources: dict[str, SourceSaid] = field(default_factory=dict[str, SourceSaid])
    symlinks: dict[Symlink, str] = field(default_factory=dict[Symlink, str])
    """The order key of the first event that said it."""

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
            self._explicit_columns(event, run, job_number)

    def _job(self, event: Event) -> Job:
        assert event.job is not None  # noqa: S101 - asked only for events that have one
        number = self.catalog.job_number(event.job)
        job = self.jobs.get(number)
        if job is None:
            job = self.jobs[number] = Job(
                number, event.job, event.time, event.time, event.key, event.key
            )
            self.findable.add((True, number))
        job_fold.fold_event(job, event)
        if job.told_anew and not event.job_facets.keys().isdisjoint(("ownership", "tags")):
            self.findable.add((True, number))
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
        name, said = mention.dataset, mention.said
        dataset = self._dataset(name, event)
        number = dataset.id
        version_before = dataset.version
        dataset_fold.fold_mention(dataset, mention, event)
        if dataset.version != version_before or (said.finds and dataset.told_anew):
            self.findable.add((False, number))
        version = None if said.schema is None else said.schema.version
        if version is not None:
            self._version((number, version, event.producer), event, mention)
        if run is not None and mention.written is not None:
            side = (number, mention.written)
            unsaid = version_without_schema(name)
            run_fold.fold_touch(
                run, side, event, version=version, unsaid=unsaid, io_facets=mention.io_facets
            )
            self.touched.add((number, job_number, mention.written))
        if mention.columns is not None:
            self._columns(mention.columns, run, (job_number, number), event)
        if said.source is not None:
            self._source(*said.source, event)
        for other in said.symlinks:
            link = Symlink(name, other)
            self.symlinks[link] = min(event.key, self.symlinks.get(link, event.key))

    def _dataset(self, name: DatasetName, event: Event) -> Dataset:
        number = self.catalog.dataset_number(name)
        dataset = self.datasets.get(number)
        if dataset is None:
            dataset = self.datasets[number] = Dataset(
                number, name, event.time, event.time, event.key, event.key
            )
            self.findable.add((False, number))
        dataset_fold.fold_naming(dataset, event)
        self._seen(name.namespace, event.time)
        return dataset

    def _explicit_columns(self, event: Event, run: Run | None, job_number: int) -> None:
        for entry in entries(event.job_facets):
            name, told = target(entry), columns_of_target(entry)
            if name is not None and told is not None:
                self._columns(told, run, (job_number, self.catalog.dataset_number(name)), event)

    def _columns(
        self, said: ColumnsSaid, run: Run | None, place: ColumnsPlace, event: Event
    ) -> None:
        sources = [self._dataset(name, event).id for name in said.sources]
        key, digest = self.columns.get(place) or self.known_columns.get(place, ("", ""))
        if run is not None:
            run_fold.fold_columns(run, place[1], said.digest, event)
        if said.digest != digest:
            self.column_facets[said.digest] = said.facet
            self.column_sources.update((source, place[1]) for source in sources)
        if event.key >= key:
            self.columns[place] = (event.key, said.digest)

    def _version(self, place: VersionPlace, event: Event, mention: Mention) -> None:
        known = self.versions.get(place) or self.known_versions.get(place)
        key, wrote = event.key, mention.written is True
        if known is not None and is_older(known, key, wrote=wrote):
            return
        said = SchemaVersion(
            key, key if wrote else None, event.run_id if wrote else None, mention.said.spelled
        )
        self.versions[place] = merge_version(known, said)

    def _source(self, name: str, url: str, event: Event) -> None:
        key = event.key
        known = self.sources.get(name)
        if known is None:
            self.sources[name] = SourceSaid(name, key, key, url)
        elif key > known.key:
            self.sources[name] = SourceSaid(name, known.first_key, key, url)
        elif key < known.first_key:
            self.sources[name] = SourceSaid(name, key, known.key, known.url)

    def _seen(self, namespace: str, time: int) -> None:
        first = self.namespaces.get(namespace)
        if first is None or time < first:
            self.namespaces[namespace] = time


class Needs(Struct):
    """What must be at hand before events can be folded, by number or place."""

    jobs: set[int] = field(default_factory=set[int])
    runs: set[str] = field(default_factory=set[str])
    datasets: set[int] = field(default_factory=set[int])
    versions: set[VersionPlace] = field(default_factory=set["VersionPlace"])
    columns: set[ColumnsPlace] = field(default_factory=set["ColumnsPlace"])


def needs(catalog: Catalog, events: Sequence[Event]) -> Needs:
    """What the fold of events needs; new names get their numbers."""
    needed = Needs()
    for event in events:
        job = NO_JOB
        if event.job is not None:
            job = catalog.job_number(event.job)
            needed.jobs.add(job)
            needed.runs.add(event.run_id)
        for mention in event.mentions:
            number = catalog.dataset_number(mention.dataset)
            needed.datasets.add(number)
            schema, columns = mention.said.schema, mention.columns
            if schema is not None:
                needed.versions.add((number, schema.version, event.producer))
            if columns is not None:
                needed.columns.add((job, number))
                needed.datasets.update(map(catalog.dataset_number, columns.sources))
        if "lineage" not in event.job_facets:
            continue
        for entry in entries(event.job_facets):
            name, told = target(entry), columns_of_target(entry)
            if name is not None and told is not None:
                needed.columns.add((job, catalog.dataset_number(name)))
                needed.datasets.update(map(catalog.dataset_number, told.sources))
    return needed
