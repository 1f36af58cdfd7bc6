"""Rows as they were last written, so that the next event need not read them; the writer's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.model.shelf import Shelf

if TYPE_CHECKING:
    from mainstem.serve.model.dataset import Dataset, SchemaVersion
    from mainstem.serve.model.job import Job
    from mainstem.serve.model.run import Run

MOST_BYTES = 12_000_000
"""Of each kind; rows are some kilobytes, but a facet may be megabytes."""

SMALL_ROW = 500

VersionPlace = tuple[int, str, str]
"""A dataset's number, the version, its producer."""

ColumnsPlace = tuple[int, int]
"""A job's number (0 where none said it) and the dataset's that it makes."""


class Recent:
    """What the last transactions wrote; forgotten whole when one of them fails."""

    def __init__(self) -> None:
        self.jobs: Shelf[int, Job] = Shelf(MOST_BYTES)
        self.runs: Shelf[str, Run] = Shelf(MOST_BYTES)
        self.datasets: Shelf[int, Dataset] = Shelf(MOST_BYTES)
        self.versions: Shelf[VersionPlace, SchemaVersion] = Shelf(MOST_BYTES // 2)
        self.columns: Shelf[ColumnsPlace, tuple[str, str]] = Shelf(MOST_BYTES // 2)
        """Order key and digest of what was last told of a dataset's columns."""

        self.namespaces: dict[str, int] | None = None
        """When each namespace was first spoken of; None until they were read."""

        self.last_event: int | None = None
        """The number of the event stored last; None until it was read."""
