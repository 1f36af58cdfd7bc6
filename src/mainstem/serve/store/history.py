"""A job's past, read for questions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.model.history import Naming
from mainstem.serve.store.runs import load_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.model.run import Run
    from mainstem.sql.connection import Connection


def naming_runs(connection: Connection, job: int) -> list[tuple[Naming, Run]]:
    """The runs of a job that named datasets, in the order they began."""
    rows = connection.rows("SELECT id FROM run WHERE job_id = ? AND naming = 1", [job])
    runs = load_runs(connection, [row[0] for row in rows])
    ordered = sorted(runs.values(), key=lambda run: (run.created, run.id))
    return [(_naming(run), run) for run in ordered]


def _naming(run: Run) -> Naming:
    return Naming(run.created, {side: run.touches[side].first for side in run.sides})


def jobs_that_touched(connection: Connection, datasets: Iterable[int]) -> set[int]:
    """The jobs that read or wrote some dataset at any time."""
    rows = connection.among("SELECT job_id FROM touched WHERE dataset_id {among}", datasets)
    return {job for (job,) in rows}
