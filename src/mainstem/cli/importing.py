"""``mainstem import``: events from files into a store."""

from __future__ import annotations

import sys
from pathlib import Path

from mainstem.cli.store import DEFAULT_STORE, StoreUrl, existing, opened, present
from mainstem.errors import BadRecipe

FAILED = 1
SHOWN = 20


def import_events(*files: Path, store: StoreUrl = DEFAULT_STORE, json: bool = False) -> int:
    """Take the events of NDJSON files, gzipped or not; what is known already counts once.

    Args:
        files: The files.
        store: Where events and the graph are kept.
        json: Print the outcome as JSON.
    """
    import orjson
    from rich.console import Console
    from rich.progress import Progress

    from mainstem.serve.ingest.upkeep import import_file
    from mainstem.serve.store.catalog import Catalog

    missing = existing(files)
    if missing or not files:
        raise BadRecipe("import", [f"{one} is no file" for one in missing] or ["name a file"])
    read = stored = 0
    refused: list[str] = []
    talk = Console(stderr=True)
    with (
        opened(store, "mainstem import", make=True) as connection,
        Progress(console=talk) as progress,
    ):
        catalog = Catalog()
        catalog.load(connection)
        for file in files:
            task = progress.add_task(file.name, total=file.stat().st_size)
            done = import_file(
                connection,
                catalog,
                file,
                present(),
                lambda at, task=task: progress.update(task, completed=at),
            )
            read, stored, refused = read + done.read, stored + done.stored, refused + done.refused
    for line in refused[:SHOWN]:
        talk.print(line, markup=False)
    if refused[SHOWN:]:
        talk.print(f"and {len(refused) - SHOWN} more")
    outcome = {"version": 1, "read": read, "stored": stored, "refused": len(refused)}
    text = orjson.dumps(outcome).decode() if json else f"{stored} of {read} events were new"
    sys.stdout.write(text + "\n")
    return FAILED if refused else 0
