"""How far an ingestion is, for people who wait: connectors done of all, per cluster."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mainstem.watch.loop.reports import ignore_progress

if TYPE_CHECKING:
    from mainstem.watch.loop.reports import TakeProgress


@contextmanager
def shown_progress(clusters: Sequence[str]) -> Generator[TakeProgress]:
    """A bar for each cluster on a terminal; nowhere else, where it would be noise in a log."""
    if not sys.stderr.isatty():
        yield ignore_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bars:
        tasks = {name: bars.add_task(name, total=None) for name in clusters}

        def progress(cluster: str, done: int, of: int) -> None:
            bars.update(tasks[cluster], completed=done, total=of)

        yield progress
