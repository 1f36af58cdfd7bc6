"""From events to rows: store them, load what they speak of, fold, save; in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from mainstem.serve.ingest.currency import settle
from mainstem.serve.ingest.findable import dataset_document, job_document
from mainstem.serve.ingest.folding import Folding, needs
from mainstem.serve.model.changes import Changes, RunChange
from mainstem.serve.store import datasets as dataset_rows
from mainstem.serve.store import surroundings
from mainstem.serve.store.events import store_new
from mainstem.serve.store.jobs import load_jobs, save_jobs
from mainstem.serve.store.recent import SMALL_ROW
from mainstem.serve.store.runs import load_runs, save_runs
from mainstem.serve.store.search import save_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mainstem.serve.model.event import Event
    from mainstem.serve.model.shelf import Shelf
    from mainstem.serve.store.catalog import Catalog
    from mainstem.serve.store.recent import Recent
    from mainstem.sql.connection import Connection

_Key = TypeVar("_Key")
_Row = TypeVar("_Row")


def ingest(
    connection: Connection, catalog: Catalog, events: Sequence[Event], received: int
) -> Changes:
    """Store events and everything that follows from them; what is known already changes nothing."""
    return project(connection, catalog, store_new(connection, catalog.recent, events, received))


def project(connection: Connection, catalog: Catalog, events: Sequence[Event]) -> Changes:
    """Fold stored events into the rows they speak of."""
    if not events:
        return Changes()
    folding = _load(connection, catalog, events)
    for event in events:
        folding.take(event)
    new_links = _save(connection, folding)
    _remember(catalog.recent, folding)
    return _changes(folding, len(events), aliases=new_links)


def _load(connection: Connection, catalog: Catalog, events: Sequence[Event]) -> Folding:
    """The rows that events speak of: those at hand, and those that must be read."""
    recent = catalog.recent
    # Numbers from these on are given now: nothing is stored for them yet.
    first_job, first_dataset = catalog.size
    needed = needs(catalog, events)
    return Folding(
        catalog=catalog,
        jobs=_rows(
            recent.jobs,
            needed.jobs,
            lambda absent: load_jobs(connection, [one for one in absent if one < first_job]),
        ),
        runs=_rows(recent.runs, needed.runs, lambda absent: load_runs(connection, absent)),
        datasets=_rows(
            recent.datasets,
            needed.datasets,
            lambda absent: dataset_rows.load_datasets(
                connection, [one for one in absent if one < first_dataset]
            ),
        ),
        known_versions=_rows(
            recent.versions,
            needed.versions,
            lambda absent: dataset_rows.load_versions(
                connection, {one[0] for one in absent if one[0] < first_dataset}
            ),
        ),
        known_columns=_rows(
            recent.columns,
            needed.columns,
            lambda absent: dataset_rows.load_column_keys(
                connection, {one[1] for one in absent if one[1] < first_dataset}
            ),
        ),
    )


def _rows(
    shelf: Shelf[_Key, _Row], wanted: set[_Key], load: Callable[[list[_Key]], dict[_Key, _Row]]
) -> dict[_Key, _Row]:
    held = {key: row for key in wanted if (row := shelf.get(key)) is not None}
    return held if len(held) == len(wanted) else held | load(list(wanted - held.keys()))


def _save(connection: Connection, folding: Folding) -> bool:
    """Write what changed; answers whether some symlink is new."""
    save_runs(connection, folding.runs.values(), folding.catalog)
    touched = _newly_touched(folding)
    settle(connection, folding)
    save_jobs(connection, folding.jobs.values())
    dataset_rows.save_datasets(connection, folding.datasets.values())
    dataset_rows.save_versions(connection, folding.versions)
    dataset_rows.save_columns(connection, folding.columns)
    dataset_rows.save_column_facets(connection, folding.column_facets, folding.column_sources)
    surroundings.save_namespaces(connection, _newly_seen(connection, folding))
    surroundings.save_sources(connection, folding.sources.values())
    known = surroundings.known_symlinks(connection, folding.symlinks)
    fresh = {
        link: key
        for link, key in folding.symlinks.items()
        if link not in known or key < known[link]
    }
    surroundings.save_symlinks(connection, fresh)
    surroundings.save_touched(connection, touched)
    save_documents(
        connection,
        [
            job_document(folding.jobs[number])
            if is_job
            else dataset_document(folding.datasets[number])
            for is_job, number in sorted(folding.findable)
        ],
    )
    return not fresh.keys() <= known.keys()


def _newly_seen(connection: Connection, folding: Folding) -> dict[str, int]:
    recent = folding.catalog.recent
    if recent.namespaces is None:
        recent.namespaces = surroundings.load_namespaces(connection)
    known = recent.namespaces
    fresh = {name: at for name, at in folding.namespaces.items() if at < known.get(name, at + 1)}
    known.update(fresh)
    return fresh


def _newly_touched(folding: Folding) -> set[tuple[int, int, bool]]:
    """What jobs touch that they did not touch before this batch, as far as their reach tells."""
    known: set[tuple[int, int, bool]] = set()
    for job in folding.jobs.values():
        known |= {(number, job.id, False) for number in job.reach.inputs}
        known |= {(number, job.id, True) for number in job.reach.outputs}
    return folding.touched - known


def _remember(recent: Recent, folding: Folding) -> None:
    for number, job in folding.jobs.items():
        recent.jobs.put(number, job, job.size)
    for run_id, run in folding.runs.items():
        recent.runs.put(run_id, run, run.size)
    for number, dataset in folding.datasets.items():
        recent.datasets.put(number, dataset, dataset.size)
    for place, version in folding.versions.items():
        recent.versions.put(place, version._replace(facets=b""), SMALL_ROW)
    for place, told in folding.columns.items():
        recent.columns.put(place, told, SMALL_ROW)


def _changes(folding: Folding, events: int, *, aliases: bool) -> Changes:
    return Changes(
        events=events,
        jobs={number: job.reach for number, job in folding.jobs.items()},
        runs=[
            RunChange(run.id, run.job_id, run.state)
            for run in folding.runs.values()
            if not run.declared
        ],
        datasets=set(folding.datasets),
        aliases=aliases,
    )
