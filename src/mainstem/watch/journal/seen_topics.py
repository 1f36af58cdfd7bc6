"""The topics that connectors were last seen to use: an answer that outlives the watcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
from msgspec import Struct

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


class SeenTopics(Struct, frozen=True):
    """What Connect answered, and for which config."""

    config: str
    """A hash of the keys that lineage rests on; the answer holds for these alone."""

    topics: tuple[str, ...]


def read_topics(connection: sqlite3.Connection, cluster: str) -> dict[str, SeenTopics]:
    """By connector of a cluster."""
    query = "SELECT connector, config, topics FROM watch_topics WHERE cluster = ?"
    rows = connection.execute(query, (cluster,)).fetchall()
    return {name: SeenTopics(config, tuple(orjson.loads(seen))) for name, config, seen in rows}


def write_topics(
    connection: sqlite3.Connection, cluster: str, changes: Mapping[str, SeenTopics | None]
) -> None:
    """Keep what changed; None: nothing is known any more."""
    connection.executemany(
        "DELETE FROM watch_topics WHERE cluster = ? AND connector = ?",
        [(cluster, name) for name, seen in changes.items() if seen is None],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO watch_topics VALUES (?, ?, ?, ?)",
        [
            (cluster, name, seen.config, orjson.dumps(seen.topics))
            for name, seen in changes.items()
            if seen is not None
        ],
    )
