"""``mainstem export``: every event of a store as NDJSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from mainstem.cli.store import DEFAULT_STORE, StoreUrl, opened
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from mainstem.sql.connection import Connection


def export(file: Path | None = None, *, store: StoreUrl = DEFAULT_STORE) -> None:
    """Write every event, as received and in the order received, one per line.

    Args:
        file: Where to write; standard output if left out.
        store: Where events and the graph are kept.
    """
    with opened(store, "mainstem export", alone=False) as connection:
        if file is None:
            _write(connection, sys.stdout.buffer)
            return
        try:
            with file.open("wb") as out:
                _write(connection, out)
        except OSError as error:
            raise BadRecipe("export", [f"cannot write {file}: {error.strerror}"]) from error


def _write(connection: Connection, out: BinaryIO) -> None:
    import orjson

    from mainstem.serve.store.events import bodies

    for rows in bodies(connection):
        for _, _, body in rows:
            raw = bytes(body)
            # A body may have come with line breaks of its own.
            line = orjson.dumps(orjson.loads(raw)) if b"\n" in raw else raw
            out.write(line + b"\n")
