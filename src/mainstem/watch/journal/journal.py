"""The watcher's memory on disk; saving a step and queueing its events is one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import orjson
from msgspec import Struct

from mainstem.outbox import Outbox, OutboxItem
from mainstem.outbox.lock import JournalLock
from mainstem.outbox.migrations import apply_migrations
from mainstem.watch.journal.recipes import clusters_left, note_clusters
from mainstem.watch.journal.remembering import from_bytes, to_bytes
from mainstem.watch.journal.schema import MIGRATIONS, ROOM
from mainstem.watch.journal.seen_topics import SeenTopics, read_topics, write_topics

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from mainstem.outbox import Caps
    from mainstem.watch.runs.model import RunMemory


LEFT = "not in the recipe any more"


class Change(Struct, frozen=True):
    """What one step changes about one connector."""

    connector: str
    memory: RunMemory | None
    """None: the connector is gone and is forgotten."""

    events: tuple[OutboxItem, ...]
    summary: bytes
    """What ``status`` shows of it, as JSON."""

    last_event: bytes | None = None
    """The last event told, also where a filter keeps it from being sent; None: none was."""

    children: bytes | None = None
    """What is remembered of the jobs below the connector's; None: as before."""


class LookOutcome(Struct, frozen=True):
    """How one look at a cluster went."""

    at: datetime
    connectors: int = 0
    trouble: str | None = None


class Journal:
    """Open runs per cluster and connector; the file is the outbox's too."""

    def __init__(self, outbox: Outbox, lock: JournalLock) -> None:
        self.outbox = outbox
        self._lock = lock
        with outbox.transaction() as connection:
            apply_migrations(connection, ROOM, MIGRATIONS)

    @classmethod
    def open(cls, path: Path, caps: Caps | None = None) -> Self:
        """The journal in a file that no other watcher holds; ``caps`` limit what may wait in it."""
        lock = JournalLock(path)
        try:
            return cls(Outbox.open(path, caps=caps), lock)
        except BaseException:
            lock.release()
            raise

    def close(self) -> None:
        """Close the file and let go of it."""
        self.outbox.close()
        self._lock.release()

    def memories(self, cluster: str) -> dict[str, RunMemory]:
        """Every connector of a cluster that is remembered."""
        with self.outbox.transaction() as connection:
            rows = connection.execute(
                "SELECT connector, memory FROM watch_connector WHERE cluster = ?", (cluster,)
            ).fetchall()
        return {connector: from_bytes(memory) for connector, memory in rows}

    def last_event(self, cluster: str, connector: str) -> bytes:
        """The last event told of a remembered connector; its lineage outlives the connector."""
        with self.outbox.transaction() as connection:
            row = connection.execute(
                "SELECT last_event FROM watch_connector WHERE cluster = ? AND connector = ?",
                (cluster, connector),
            ).fetchone()
        return row[0]

    def last_told(self, cluster: str, connector: str) -> tuple[bytes | None, bytes | None]:
        """The last event told of a connector and what is remembered of the jobs below it."""
        with self.outbox.transaction() as connection:
            row = connection.execute(
                "SELECT last_event, children FROM watch_connector"
                " WHERE cluster = ? AND connector = ?",
                (cluster, connector),
            ).fetchone()
        return row or (None, None)

    def topics(self, cluster: str) -> dict[str, SeenTopics]:
        """By connector, the topics that it was last seen to use."""
        with self.outbox.transaction() as connection:
            return read_topics(connection, cluster)

    def remember_topics(self, cluster: str, changes: Mapping[str, SeenTopics | None]) -> None:
        """Keep the topics seen; None: nothing is known of that connector's any more."""
        with self.outbox.transaction() as connection:
            write_topics(connection, cluster, changes)

    def clusters_left(self, recipe: str, clusters: Collection[str]) -> tuple[str, ...]:
        """The clusters that a recipe named before, and that no recipe of this journal does now."""
        with self.outbox.transaction() as connection:
            return clusters_left(connection, recipe, clusters)

    def note_clusters(self, recipe: str, clusters: Collection[str]) -> None:
        """Note what a recipe names, for when it does not any more."""
        with self.outbox.transaction() as connection:
            note_clusters(connection, recipe, clusters)

    def leave_all_but(self, clusters: Collection[str]) -> None:
        """Note which clusters the recipe no longer has; their runs stay as they are."""
        with self.outbox.transaction() as connection:
            connection.execute(
                "UPDATE watch_cluster SET trouble = ?"
                " WHERE cluster NOT IN (SELECT value FROM json_each(?))",
                (LEFT, orjson.dumps(list(clusters)).decode()),
            )

    def reported(self, cluster: str) -> set[tuple[str, str]]:
        """Connector and URN of each entity that was told to a DataHub and not taken back."""
        with self.outbox.transaction() as connection:
            query = "SELECT connector, urn FROM datahub_entity WHERE cluster = ?"
            return set(connection.execute(query, (cluster,)).fetchall())

    def report(
        self,
        cluster: str,
        entities: Collection[tuple[str, str]],
        told: Sequence[OutboxItem],
        summaries: Mapping[str, bytes | None],
    ) -> None:
        """Remember what is in a DataHub from now on and queue what brings it there.

        ``summaries`` is what ``status`` shows of each connector that is there; None: as before.
        """
        with self.outbox.transaction() as connection:
            self.outbox.append(connection, told)
            _summarise(connection, cluster, summaries)
            connection.execute("DELETE FROM datahub_entity WHERE cluster = ?", (cluster,))
            connection.executemany(
                "INSERT INTO datahub_entity VALUES (?, ?, ?)",
                [(cluster, connector, urn) for connector, urn in sorted(entities)],
            )

    def save(self, cluster: str, changes: Sequence[Change], look: LookOutcome) -> None:
        """Remember the changes and queue their events: both, or neither."""
        with self.outbox.transaction() as connection:
            for change in changes:
                self.outbox.append(connection, change.events)
                _remember(connection, cluster, change)
            _note_look(connection, cluster, look)


def _summarise(
    connection: sqlite3.Connection, cluster: str, summaries: Mapping[str, bytes | None]
) -> None:
    as_before = [name for name, each in summaries.items() if each is None]
    connection.execute(
        "DELETE FROM datahub_connector WHERE cluster = ?"
        " AND connector NOT IN (SELECT value FROM json_each(?))",
        (cluster, orjson.dumps(as_before).decode()),
    )
    connection.executemany(
        "INSERT INTO datahub_connector VALUES (?, ?, ?)",
        [(cluster, name, each) for name, each in summaries.items() if each is not None],
    )


def _remember(connection: sqlite3.Connection, cluster: str, change: Change) -> None:
    # what was told to a DataHub before is no longer the last that is known
    connection.execute(
        "DELETE FROM datahub_connector WHERE cluster = ? AND connector = ?",
        (cluster, change.connector),
    )
    if change.memory is None:
        connection.execute(
            "DELETE FROM watch_connector WHERE cluster = ? AND connector = ?",
            (cluster, change.connector),
        )
        return
    memory = to_bytes(change.memory)
    connection.execute(
        "INSERT INTO watch_connector (cluster, connector, memory, last_event, summary, children)"
        " VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (cluster, connector) DO UPDATE SET memory = excluded.memory,"
        " last_event = COALESCE(excluded.last_event, last_event),"
        " summary = excluded.summary,"
        " children = COALESCE(excluded.children, children)",
        (
            cluster,
            change.connector,
            memory,
            change.last_event,
            change.summary,
            change.children,
        ),
    )


def _note_look(connection: sqlite3.Connection, cluster: str, look: LookOutcome) -> None:
    at = look.at.isoformat()
    connection.execute(
        "INSERT INTO watch_cluster VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (cluster) DO UPDATE SET looked_at = excluded.looked_at,"
        " last_success = COALESCE(excluded.last_success, last_success),"
        " trouble = excluded.trouble,"
        " connectors = CASE WHEN excluded.trouble IS NULL"
        " THEN excluded.connectors ELSE connectors END",
        (cluster, at, None if look.trouble else at, look.trouble, look.connectors),
    )
