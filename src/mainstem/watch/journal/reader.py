"""What ``mainstem status`` reads while a watcher runs, or after it ended."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson
from msgspec import Struct
from msgspec.structs import replace

from mainstem.outbox.connection import connect_to_read, journal_errors

if TYPE_CHECKING:
    from pathlib import Path


class ClusterRow(Struct, frozen=True):
    """How the last look at one cluster went."""

    name: str
    looked_at: datetime
    last_success: datetime | None
    trouble: str | None
    connectors: int


class ConnectorRow(Struct, frozen=True):
    """What is known of one connector."""

    cluster: str
    name: str
    run_id: str | None
    last_event_time: str | None
    summary: dict[str, Any]


def read_clusters(path: Path) -> tuple[ClusterRow, ...]:
    """Every cluster that this journal ever looked at."""
    rows = _select(
        path,
        "SELECT cluster, looked_at, last_success, trouble, connectors FROM watch_cluster"
        " ORDER BY cluster",
    )
    return tuple(
        ClusterRow(
            name=name,
            looked_at=datetime.fromisoformat(looked_at),
            last_success=datetime.fromisoformat(success) if success else None,
            trouble=trouble,
            connectors=connectors,
        )
        for name, looked_at, success, trouble, connectors in rows
    )


def read_connectors(path: Path) -> tuple[ConnectorRow, ...]:
    """Every connector that this journal remembers, with a run or without."""
    runs = _select(path, "SELECT cluster, connector, memory, summary FROM watch_connector")
    rows = {(cluster, name): _row(cluster, name, *rest) for cluster, name, *rest in runs}
    told = _select(path, "SELECT cluster, connector, summary FROM datahub_connector")
    for cluster, name, summary in told:
        before = rows.get((cluster, name), ConnectorRow(cluster, name, None, None, {}))
        rows[cluster, name] = replace(before, summary=orjson.loads(summary))
    return tuple(rows[place] for place in sorted(rows))


def _row(cluster: str, connector: str, memory: bytes, summary: bytes) -> ConnectorRow:
    remembered = orjson.loads(memory)
    return ConnectorRow(
        cluster, connector, remembered["run_id"], remembered["last_time"], orjson.loads(summary)
    )


def _select(path: Path, query: str) -> list[Any]:
    connection = connect_to_read(path)
    try:
        with journal_errors(path):
            return connection.execute(query).fetchall()
    except sqlite3.OperationalError:
        # an outbox that no watcher has written to yet has no such tables
        return []
    finally:
        connection.close()
