"""``mainstem export``: every event of a store as NDJSON."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

from mainstem.cli.store import DEFAULT_STORE, StoreUrl, opened


def export(file: Path | None = None, *, store: StoreUrl = DEFAULT_STORE) -> None:
    """Write every event, as received and in the order received, one per line.

    Args:
        file: Where to write; standard output if left out.
        store: Where events and the graph are kept.
    """
    import orjson

    from mainstem.serve.store.events import bodies

    with (
        opened(store, "mainstem export", alone=False) as connection,
        nullcontext(sys.stdout.buffer) if file is None else file.open("wb") as out,
    ):
        for rows in bodies(connection):
            for _, _, body in rows:
                raw = bytes(body)
                # A body may have come with line breaks of its own.
                line = orjson.dumps(orjson.loads(raw)) if b"\n" in raw else raw
                out.write(line + b"\n")
