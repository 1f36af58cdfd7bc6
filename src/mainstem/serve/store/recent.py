"""Rows as they were last written, so that the next event need not read them; the writer's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mainstem.serve.model.dataset import Dataset, SchemaVersion
    from mainstem.serve.model.job import Job
    from mainstem.serve.model.run import Run

_Key = TypeVar("_Key")
_Row = TypeVar("_Row")

MOST = 2000
"""A row of a job, run or dataset is some kilobytes."""

MOST_SMALL = 10_000

VersionPlace = tuple[int, str, str]
"""A dataset's number, the version, its producer."""

ColumnsPlace = tuple[int, int]
"""A job's number (0 where none said it) and the dataset's that it makes."""


class Recent:
    """What the last transactions wrote; forgotten whole when one of them fails."""

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}
        self.runs: dict[str, Run] = {}
        self.datasets: dict[int, Dataset] = {}
        self.versions: dict[VersionPlace, SchemaVersion] = {}
        self.columns: dict[ColumnsPlace, tuple[str, str]] = {}
        """Order key and digest of what was last told of a dataset's columns."""

        self.namespaces: dict[str, int] | None = None
        """When each namespace was first spoken of; None until they were read."""

        self.last_event: int | None = None
        """The number of the event stored last; None until it was read."""


def keep(shelf: dict[_Key, _Row], rows: dict[_Key, _Row], most: int) -> None:
    """Put rows on a shelf and drop those that were not touched for the longest time."""
    for key, row in rows.items():
        shelf.pop(key, None)
        shelf[key] = row
    while len(shelf) > most:
        del shelf[next(iter(shelf))]
