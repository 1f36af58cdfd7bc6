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
AT_ONCE = 500
LARGEST_PAGE = 32_000_000
"""Bytes of events in one answer: whoever asks for a million gets as many as that, and the total."""

_NO_NUMBER = 2**62


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
    connection: Connection,
    period: tuple[int, int],
    direction: str,
    limit: int,
    offset: int,
    *,
    room: int = LARGEST_PAGE,
) -> list[bytes]:
    """The bodies of the events of a period, by time; fewer than asked for if they are too large."""
    found: list[bytes] = []
    start, end = period
    # Where the last part ended: a time, and a number which no event of that time is beyond.
    last, beyond = ((start - 1, _NO_NUMBER), ">") if direction == OLDEST else ((end, 0), "<")
    while len(found) < limit and room > 0:
        rows = connection.rows(
            f"SELECT time, id, body FROM event WHERE time >= ? AND time < ?"  # noqa: S608
            f" AND (time, id) {beyond} (?, ?) ORDER BY time {direction}, id {direction}"
            " LIMIT ? OFFSET ?",
            [*period, *last, min(limit - len(found), AT_ONCE), 0 if found else offset],
        )
        for _, _, body in rows:
            found.append(body)
            room -= len(body)
            if room <= 0:
                return found
        if len(rows) < AT_ONCE:
            break
        last = rows[-1][:2]
    return found
