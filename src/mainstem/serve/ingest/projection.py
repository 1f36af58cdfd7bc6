"""From events to rows: store them, load what they speak of, fold, save; in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.ingest.currency import settle
from mainstem.serve.ingest.findable import dataset_document, job_document
from mainstem.serve.ingest.folding import Folding, spoken_of
from mainstem.serve.model.changes import Changes, RunChange
from mainstem.serve.store import datasets as dataset_rows
from mainstem.serve.store import surroundings
from mainstem.serve.store.events import store_new
from mainstem.serve.store.jobs import load_jobs, save_jobs
from mainstem.serve.store.runs import load_runs, save_runs
from mainstem.serve.store.search import save_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.serve.model.event import Event
    from mainstem.serve.store.catalog import Catalog
    from mainstem.sql.connection import Connection


def ingest(
    connection: Connection, catalog: Catalog, events: Sequence[Event], received: int
) -> Changes:
    """Store events and everything that follows from them; what is known already changes nothing."""
    return project(connection, catalog, store_new(connection, events, received))


def project(connection: Connection, catalog: Catalog, events: Sequence[Event]) -> Changes:
    """Fold stored events into the rows they speak of."""
    if not events:
        return Changes()
    known_symlinks = surroundings.known_symlinks(connection, events)
    folding = _load(connection, catalog, events)
    for event in events:
        folding.take(event)
    _save(connection, folding)
    return _changes(folding, len(events), aliases=bool(folding.symlinks.keys() - known_symlinks))


def _load(connection: Connection, catalog: Catalog, events: Sequence[Event]) -> Folding:
    # Numbers above these are given while folding: nothing is stored for them yet.
    jobs_known, datasets_known = catalog.size
    jobs = {catalog.job_number(event.job) for event in events if event.job is not None}
    datasets = {catalog.dataset_number(name) for event in events for name in spoken_of(event)}
    stored = [number for number in sorted(datasets) if number < datasets_known]
    with_columns = stored if any(_tells_columns(event) for event in events) else []
    return Folding(
        catalog=catalog,
        jobs=load_jobs(connection, [one for one in sorted(jobs) if one < jobs_known]),
        runs=load_runs(connection, {event.run_id for event in events if event.job is not None}),
        datasets=dataset_rows.load_datasets(connection, stored),
        column_keys=dataset_rows.column_keys(connection, with_columns),
    )


def _tells_columns(event: Event) -> bool:
    return "lineage" in event.job_facets or any(
        not one.facets.keys().isdisjoint(("columnLineage", "lineage")) for one in event.mentions
    )


def _save(connection: Connection, folding: Folding) -> None:
    save_runs(connection, folding.runs.values(), folding.catalog)
    touched = _newly_touched(folding)
    settle(connection, folding)
    save_jobs(connection, folding.jobs.values())
    dataset_rows.save_datasets(connection, folding.datasets.values())
    dataset_rows.save_versions(connection, folding.versions.values())
    dataset_rows.save_columns(connection, folding.columns.values())
    surroundings.save_namespaces(connection, folding.namespaces)
    surroundings.save_sources(connection, folding.sources.values(), folding.source_births)
    surroundings.save_symlinks(connection, folding.symlinks)
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


def _newly_touched(folding: Folding) -> set[tuple[int, int, bool]]:
    """What jobs touch that they did not touch before this batch, as far as their reach tells."""
    known: set[tuple[int, int, bool]] = set()
    for job in folding.jobs.values():
        known |= {(number, job.id, False) for number in job.reach.inputs}
        known |= {(number, job.id, True) for number in job.reach.outputs}
    return folding.touched - known


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
        columns={place: columns.sources for place, columns in folding.columns.items()},
        aliases=aliases,
    )
