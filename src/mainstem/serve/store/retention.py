"""Forgetting: old events and old runs, but never what the current graph rests on.

Every register of a job or dataset keeps the order key of the event whose word stands. Those events
stay, so that jobs and datasets can be made again from them; runs are too many for that, and a run
that began before events were forgotten is left as it is by a rebuild.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.said.event import RANKS, order_key
from mainstem.serve.store.tallies import tally_again

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.sql.connection import Connection

# A job's latest run and the one that its edges come from; both may be years old.
_CURRENT = """SELECT latest_run FROM job WHERE latest_run IS NOT NULL
UNION SELECT current_run FROM job WHERE current_run IS NOT NULL"""
_KEYS = (
    "SELECT first_key FROM dataset_version",
    "SELECT writer_key FROM dataset_version WHERE writer_key IS NOT NULL",
    "SELECT key FROM column_lineage",
    "SELECT first_key FROM source",
    "SELECT key FROM source",
    "SELECT first_key FROM symlink",
)


def keep_needed_events(connection: Connection, before: int) -> int:
    """Delete events from before an instant; answers how many.

    What was declared without a run stays too: nothing repeats it.
    """
    needed = set(_standing(connection))
    old = connection.rows(
        "SELECT id, time, type, digest FROM event"
        " WHERE time < ? AND type NOT IN ('JOB', 'DATASET')",
        [before],
    )
    forgotten = [
        (number,)
        for number, time, word, digest in old
        if order_key(time, word if word in RANKS else None, bytes(digest)) not in needed
    ]
    connection.many("DELETE FROM event WHERE id = ?", forgotten)
    tally_again(connection)
    return len(forgotten)


def note_pruning(connection: Connection, before: int) -> None:
    """Remember that what was said before an instant may be gone."""
    latest = max(before, pruned_before(connection) or before)
    connection.run("DELETE FROM retention")
    connection.run("INSERT INTO retention (pruned_before) VALUES (?)", [latest])


def pruned_before(connection: Connection) -> int | None:
    """Up to when events were forgotten; None if none ever were."""
    rows = connection.rows("SELECT pruned_before FROM retention")
    return rows[0][0] if rows else None


def forget_runs(connection: Connection, before: int) -> int:
    """Delete runs that were last spoken of before an instant; answers how many."""
    condition = f"updated < ? AND declared = 0 AND id NOT IN ({_CURRENT})"
    count = connection.rows(f"SELECT count(*) FROM run WHERE {condition}", [before])  # noqa: S608
    connection.run(f"DELETE FROM run WHERE {condition}", [before])  # noqa: S608
    return count[0][0]


def forget_again(connection: Connection, kept: set[str]) -> None:
    """Delete the runs that events told again although they had been forgotten."""
    there = connection.rows("SELECT id FROM run")
    connection.many("DELETE FROM run WHERE id = ?", [row for row in there if row[0] not in kept])


def _standing(connection: Connection) -> Iterator[str]:
    """The order keys of the events whose word stands somewhere."""
    for statement in _KEYS:
        for (key,) in connection.rows(statement):
            yield key
    for table in ("job", "dataset"):
        for (stored,) in connection.rows(f"SELECT fold FROM {table}"):  # noqa: S608 - two words
            fold: dict[str, Any] = orjson.loads(stored)
            keys: dict[str, str] = fold.pop("keys")
            yield from keys.values()
            # A schema's word is led by how strong it is.
            yield keys.get("schema", "")[2:]
            yield from (key for key in fold.values() if isinstance(key, str))
