"""Rows as they are served: named columns, nothing folded, nothing parsed that need not be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mainstem.sql.connection import Connection, Row

LATEST_RUNS = 10


class RunRow(NamedTuple):
    """A run, ready to be served."""

    id: str
    job_id: int
    created: int
    updated: int
    started: int | None
    ended: int | None
    state: str
    overdue_after: int | None
    version: str
    head: bytes
    inputs: bytes
    outputs: bytes
    facets: bytes
    declared: int
    """Whether it is no run but a description of the job, which is folded as one."""


class JobRow(NamedTuple):
    """A job, ready to be served."""

    id: int
    created: int
    updated: int
    latest_run: str | None
    current_run: str | None
    head: bytes
    facets: bytes = b""
    """Left unread where they are not shown: they lie on pages of their own."""


class DatasetRow(NamedTuple):
    """A dataset under one name, ready to be served."""

    id: int
    created: int
    updated: int
    written: int | None
    version: str | None
    head: bytes
    fields: bytes
    facets: bytes = b""
    fold: bytes = b""
    """Facets and fold are left unread where they are not shown, as a job's are."""


RUN = ", ".join(f"run.{name}" for name in RunRow._fields)
JOB, JOB_HEAD = (", ".join(one) for one in (JobRow._fields, JobRow._fields[:-1]))
DATASET, DATASET_HEAD = (", ".join(one) for one in (DatasetRow._fields, DatasetRow._fields[:-2]))


def run_rows(connection: Connection, run_ids: Iterable[str]) -> dict[str, RunRow]:
    """Runs by id."""
    rows = connection.among(f"SELECT {RUN} FROM run WHERE id {{among}}", run_ids)  # noqa: S608
    return {row[0]: RunRow(*row) for row in rows}


def job_rows(
    connection: Connection, numbers: Iterable[int], *, whole: bool = False
) -> dict[int, JobRow]:
    """Jobs by number; with their facets if they are wanted whole."""
    shown = JOB if whole else JOB_HEAD
    rows = connection.among(f"SELECT {shown} FROM job WHERE id {{among}}", numbers)  # noqa: S608
    return {row[0]: JobRow(*row) for row in rows}


def dataset_rows(
    connection: Connection, numbers: Iterable[int], *, whole: bool = False
) -> dict[int, DatasetRow]:
    """Datasets by number; with their facets and their fold if they are wanted whole."""
    shown = DATASET if whole else DATASET_HEAD
    rows = connection.among(
        f"SELECT {shown} FROM dataset WHERE id {{among}}",  # noqa: S608 - our own columns
        numbers,
    )
    return {row[0]: DatasetRow(*row) for row in rows}


def runs_of_job(connection: Connection, job: int, limit: int, offset: int) -> list[RunRow]:
    """A job's runs, the latest first."""
    rows = connection.rows(
        f"SELECT {RUN} FROM run WHERE job_id = ? AND declared = 0 "  # noqa: S608
        "ORDER BY created DESC, id DESC LIMIT ? OFFSET ?",
        [job, limit, offset],
    )
    return [RunRow(*row) for row in rows]


def latest_runs(connection: Connection, jobs: Sequence[int]) -> dict[int, list[RunRow]]:
    """The latest runs of each of some jobs, the very latest first."""
    rows = connection.each(
        f"SELECT {RUN} FROM run WHERE job_id = ? AND declared = 0 "  # noqa: S608
        f"ORDER BY created DESC, id DESC LIMIT {LATEST_RUNS}",
        jobs,
    )
    found: dict[int, list[RunRow]] = {job: [] for job in jobs}
    for row in map(RunRow._make, rows):
        found[row.job_id].append(row)
    for runs in found.values():
        runs.sort(key=lambda run: (run.created, run.id), reverse=True)
    return found


def count_runs(connection: Connection, job: int) -> int:
    """How many runs a job had."""
    return connection.rows("SELECT count(*) FROM run WHERE job_id = ? AND declared = 0", [job])[0][
        0
    ]


def versions_of_job(connection: Connection, job: int) -> list[Row]:
    """A job's versions, the newest first: version, first seen, its latest run's id."""
    return connection.rows(
        "SELECT version, min(created), max(id) FROM run WHERE job_id = ?"
        " GROUP BY version ORDER BY min(created) DESC, version",
        [job],
    )


def latest_of_version(connection: Connection, job: int, version: str) -> RunRow | None:
    """The latest run of one version of a job."""
    rows = connection.rows(
        f"SELECT {RUN} FROM run WHERE job_id = ? AND version = ? "  # noqa: S608
        "ORDER BY created DESC, id DESC LIMIT 1",
        [job, version],
    )
    return RunRow(*rows[0]) if rows else None


def versions_of_dataset(connection: Connection, numbers: Sequence[int]) -> list[Row]:
    """Schema versions, the newest first: version, created, run, facets, producer, dataset."""
    rows = connection.among(
        "SELECT version, created, run_id, facets, producer, dataset_id FROM dataset_version"
        " WHERE dataset_id {among}",
        numbers,
    )
    newest_first = sorted(rows, key=lambda row: (row[1], row[0]), reverse=True)
    seen: dict[str, Row] = {}
    for row in newest_first:
        known = seen.get(row[0])
        # One schema that several producers said is one version, as old as its first word.
        seen[row[0]] = row if known is None else (row[0], row[1], row[2] or known[2], *row[3:])
    return sorted(seen.values(), key=lambda row: (row[1], row[0]), reverse=True)


def jobs_by_update(connection: Connection, limit: int | None) -> list[int]:
    """The numbers of jobs, the last updated first."""
    bound = "" if limit is None else f" LIMIT {limit}"
    rows = connection.rows(f"SELECT id FROM job ORDER BY updated DESC, id DESC{bound}")  # noqa: S608
    return [number for (number,) in rows]
