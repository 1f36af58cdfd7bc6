"""Raw events: stored first, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.store.tallies import tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mainstem.serve.model.event import Event
    from mainstem.serve.store.recent import Recent
    from mainstem.sql.connection import Connection, Row

_INSERT = (
    "INSERT INTO event (id, digest, time, received, type, run_id, body) VALUES (?,?,?,?,?,?,?)"
)
NEWEST, OLDEST = "DESC", "ASC"


def store_new(
    connection: Connection, recent: Recent, events: Sequence[Event], received: int
) -> list[Event]:
    """Store the events that are not there yet; answers those, each once."""
    by_digest = {event.digest: event for event in events}
    known = connection.among("SELECT digest FROM event WHERE digest {among}", by_digest)
    for (digest,) in known:
        by_digest.pop(bytes(digest), None)
    fresh = list(by_digest.values())
    last = recent.last_event
    if last is None:
        last = connection.rows("SELECT coalesce(max(id), 0) FROM event")[0][0]
    recent.last_event = last + len(fresh)
    connection.many(
        _INSERT,
        [
            (last + at, one.digest, one.time, received, _word(one), one.run_id, one.raw)
            for at, one in enumerate(fresh, 1)
        ],
    )
    tally(connection, [(one.time, _word(one)) for one in fresh], received)
    return fresh


def _word(event: Event) -> str:
    """The run event's type; for the other kinds, the kind itself."""
    return event.type or event.kind.value.upper()


def bodies(connection: Connection, at_once: int = 1000) -> Iterator[list[Row]]:
    """Every event in the order it came, as (id, received, body), some at a time."""
    after = 0
    while rows := connection.rows(
        "SELECT id, received, body FROM event WHERE id > ? ORDER BY id LIMIT ?", [after, at_once]
    ):
        yield rows
        after = rows[-1][0]


def page(
    connection: Connection, period: tuple[int, int], direction: str, limit: int, offset: int
) -> list[bytes]:
    """The bodies of the events of a period, by time."""
    rows = connection.rows(
        f"SELECT body FROM event WHERE time >= ? AND time < ? ORDER BY time {direction}"  # noqa: S608
        f", id {direction} LIMIT ? OFFSET ?",
        [*period, limit, offset],
    )
    return [bytes(body) for (body,) in rows]
