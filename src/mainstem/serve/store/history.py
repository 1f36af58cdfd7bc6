"""A job's past, read for questions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.model.history import Naming
from mainstem.serve.model.news import Ran
from mainstem.serve.store.runs import load_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.model.run import Run
    from mainstem.sql.connection import Connection

_RAN = ", ".join(Ran._fields)


def naming_runs(connection: Connection, job: int) -> list[tuple[Naming, Run]]:
    """The runs of a job that named datasets, in the order they began."""
    rows = connection.rows("SELECT id FROM run WHERE job_id = ? AND naming = 1", [job])
    runs = load_runs(connection, [row[0] for row in rows])
    ordered = sorted(runs.values(), key=lambda run: (run.created, run.id))
    return [(_naming(run), run) for run in ordered]


def runs_since(connection: Connection, job: int, since: int, most: int) -> list[Ran]:
    """A job's runs since an instant, the newest ``most``, and the last before it; oldest first."""
    rows = connection.rows(
        f"SELECT {_RAN} FROM run WHERE job_id = ? AND declared = 0 AND created >= coalesce("  # noqa: S608
        "(SELECT max(created) FROM run WHERE job_id = ? AND declared = 0 AND created < ?), 0)"
        " ORDER BY created DESC, id DESC LIMIT ?",
        [job, job, since, most],
    )
    return [Ran(*row) for row in reversed(rows)]


def with_new_schema(connection: Connection, datasets: Iterable[int], since: int) -> set[int]:
    """Which of some datasets had a schema for the first time since an instant."""
    rows = connection.among(
        "SELECT dataset_id FROM dataset_version WHERE dataset_id {among} AND created >= ?",
        datasets,
        [since],
    )
    return {dataset for (dataset,) in rows}


def _naming(run: Run) -> Naming:
    return Naming(run.created, {side: run.touches[side].first for side in run.sides})


def jobs_that_touched(connection: Connection, datasets: Iterable[int]) -> set[int]:
    """The jobs that read or wrote some dataset at any time."""
    rows = connection.among("SELECT job_id FROM touched WHERE dataset_id {among}", datasets)
    return {job for (job,) in rows}
