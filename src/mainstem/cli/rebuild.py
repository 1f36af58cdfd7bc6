"""``mainstem rebuild``: the projections again, from the raw events."""

from __future__ import annotations

import sys

from mainstem.cli.store import DEFAULT_STORE, StoreUrl, opened


def rebuild(*, store: StoreUrl = DEFAULT_STORE, json: bool = False) -> None:
    """Drop everything that follows from events and make it again; users' decisions stay.

    Args:
        store: Where events and the graph are kept.
        json: Print the outcome as JSON.
    """
    import orjson
    from rich.console import Console
    from rich.progress import Progress

    from mainstem.serve.ingest import upkeep

    with (
        opened(store, "mainstem rebuild") as connection,
        Progress(console=Console(stderr=True)) as progress,
    ):
        total = connection.rows("SELECT count(*) FROM event")[0][0]
        task = progress.add_task("events", total=total)
        count = upkeep.rebuild(connection, lambda done: progress.update(task, completed=done))
    text = orjson.dumps({"version": 1, "events": count}).decode() if json else f"{count} events"
    sys.stdout.write(text + "\n")
