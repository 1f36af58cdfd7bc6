"""Work on a whole store while no server holds it: import, rebuild, prune."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.errors import EventRefused
from mainstem.serve import store
from mainstem.serve.ingest.currency import settle_all
from mainstem.serve.ingest.projection import ingest, project
from mainstem.serve.ingest.reading import read_event
from mainstem.serve.store.catalog import Catalog
from mainstem.serve.store.events import bodies
from mainstem.serve.store.retention import (
    forget_again,
    forget_runs,
    keep_needed_events,
    note_pruning,
    pruned_before,
)
from mainstem.sql.migration import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from mainstem.serve.model.event import Event
    from mainstem.sql.connection import Connection, Database

MIGRATIONS = Path(store.__file__).parent / "migrations"
AT_ONCE = 500
PROJECTIONS = (
    "job", "dataset", "dataset_version", "column_lineage", "column_facet", "column_source",
    "touched", "namespace", "source", "symlink", "search",
)  # fmt: skip


class Imported(Struct):
    """What an import did."""

    read: int = 0
    stored: int = 0
    refused: list[str] = field(default_factory=list[str])
    """One line per event that was none, or file that is broken: where, and why."""


def import_file(
    connection: Connection, catalog: Catalog, file: Path, now: int, progress: Callable[[int], None]
) -> Imported:
    """Take every event of an NDJSON file, gzipped or not; ``progress`` is told the bytes read."""
    done = Imported()
    waiting: list[Event] = []
    with file.open("rb") as raw:
        for number, line in enumerate(map(bytes.strip, _lines(raw, file, done)), 1):
            if not line:
                continue
            done.read += 1
            try:
                waiting.append(read_event(line))
            except EventRefused as refused:
                done.refused.append(f"{file}:{number}: {refused}")
            if len(waiting) >= AT_ONCE:
                done.stored += _store(connection, catalog, waiting, now)
                waiting.clear()
                progress(raw.tell())
        done.stored += _store(connection, catalog, waiting, now)
        progress(raw.tell())
    return done


def _lines(raw: BinaryIO, file: Path, done: Imported) -> Iterator[bytes]:
    if file.suffix != ".gz":
        yield from raw
        return
    try:
        with gzip.open(raw) as unpacked:
            yield from unpacked
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        done.refused.append(f"{file}: cannot be unpacked from here on: {error}")


def _store(connection: Connection, catalog: Catalog, events: list[Event], now: int) -> int:
    with connection.transaction():
        return ingest(connection, catalog, events, now).events


def prepare(database: Database, connection: Connection) -> None:
    """Bring a store up to date; a migration may have left the projections to be made again."""
    migrate(database, connection, MIGRATIONS)
    told = connection.rows("SELECT 1 FROM event LIMIT 1")
    if told and not connection.rows("SELECT 1 FROM namespace LIMIT 1"):
        rebuild(connection, lambda _: None)


def rebuild(connection: Connection, progress: Callable[[int], None]) -> int:
    """Drop the projections and make them again from the raw events; answers how many there are.

    Runs from before the last prune stay: the events that made them are gone. Numbers stay too.
    """
    catalog = Catalog()
    count = 0
    with connection.transaction():
        catalog.load(connection)
        for table in PROJECTIONS:
            connection.run(f"DELETE FROM {table}")  # noqa: S608 - our own tables
        known = {row[0] for row in connection.rows("SELECT id FROM run")}
        kept_from = pruned_before(connection) if known else None
        if kept_from is None:
            connection.run("DELETE FROM run")
        else:
            connection.run("DELETE FROM run WHERE created >= ?", [kept_from])
        for rows in bodies(connection):
            project(connection, catalog, [read_event(bytes(body)) for _, _, body in rows])
            count += len(rows)
            progress(count)
        if kept_from is not None:
            forget_again(connection, known)
            settle_all(connection)
    return count


def prune(connection: Connection, events_before: int, runs_before: int) -> tuple[int, int]:
    """Forget events and runs from before two instants; what the current graph needs stays."""
    with connection.transaction():
        events = keep_needed_events(connection, events_before)
        runs = forget_runs(connection, runs_before)
        note_pruning(connection, max(events_before, runs_before))
    return events, runs
