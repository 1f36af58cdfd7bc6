"""A damaged journal is set aside and said aloud; a fresh one begins: never a crash loop."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from mainstem.logs import log
from mainstem.outbox.connection import Durability, connect, is_damage

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


def set_aside_if_damaged(path: Path, now: datetime) -> Path | None:
    """Where a damaged journal was moved to; None when the file is sound or does not exist."""
    if not path.exists():
        return None
    damage = _find_damage(path)
    if damage is None:
        return None
    aside = path.with_name(f"{path.name}.damaged-{now:%Y%m%dT%H%M%S%fZ}")
    # SQLite finds a file's write-ahead log by its name, so the three must move together.
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    log.error("journal damaged, set aside", journal=str(path), aside=str(aside), damage=damage)
    return aside


def _find_damage(path: Path) -> str | None:
    connection: sqlite3.Connection | None = None
    try:
        connection = connect(path, Durability.POWER_LOSS)
        answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return str(error)
        raise
    finally:
        if connection is not None:
            connection.close()
    return None if answer == "ok" else str(answer)
