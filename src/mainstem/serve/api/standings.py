"""How the latest run of each job stands, kept at hand: a home page counts all of them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.sql.connection import Connection, Row

_EVERY = """SELECT job.id, run.state, run.overdue_after, job.updated
FROM job JOIN run ON run.id = job.latest_run"""


class Standing(NamedTuple):
    """The state of a job's latest run, from when on it is stale, and when the job last spoke."""

    state: str
    overdue_after: int | None
    updated: int


class Standings:
    """Read whole once, then only what events spoke of; the writer's thread forgets."""

    def __init__(self) -> None:
        self._known: dict[int, Standing] = {}
        self._untold: set[int] | None = None
        """Jobs to read again; None: all of them."""

        self._lock = threading.Lock()

    def forget(self, jobs: Iterable[int]) -> None:
        """Have some jobs read again by whoever asks next."""
        with self._lock:
            if self._untold is not None:
                self._untold.update(jobs)

    def forget_all(self) -> None:
        """Have everything read again."""
        with self._lock:
            self._untold = None

    def current(self, connection: Connection) -> dict[int, Standing]:
        """How each job stands that has run, by number."""
        with self._lock:
            if self._untold is None:
                self._known = _read(connection.rows(_EVERY))
            elif self._untold:
                again = connection.among(f"{_EVERY} WHERE job.id {{among}}", self._untold)
                kept = {job: how for job, how in self._known.items() if job not in self._untold}
                self._known = kept | _read(again)  # never changed: others may be reading it
            self._untold = set()
            return self._known


def _read(rows: Iterable[Row]) -> dict[int, Standing]:
    return {job: Standing(*how) for job, *how in rows}
