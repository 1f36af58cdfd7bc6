"""Whether data moves: from one reading of a connector's offsets to the next. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from mainstem.watch.connect.offsets import Offsets


class Movement(Struct, frozen=True):
    """What the readings of one running connector have shown so far."""

    latest: Offsets
    read_at: datetime
    unchanged_since: datetime
    """The first reading that showed what the latest shows."""

    told: Offsets
    """The reading that the last event counted up to."""

    uncertain: frozenset[str] = frozenset()
    """Topics whose rows since then cannot be told: offsets went back, or a partition is new."""

    first_record: datetime | None = None
    """When the first record was seen to come through; None: none came, or it was before us."""


class Flow(Struct, frozen=True):
    """What an event may say of movement."""

    rows: Mapping[str, int]
    """Per topic of a sink, the offsets committed since the last event."""

    first_record: datetime | None
    quiet_since: datetime | None
    """Since when nothing moves, if that is longer than the recipe calls usual."""

    read_at: datetime


def observe(previous: Movement | None, offsets: Offsets, now: datetime) -> Movement:
    """The movement after one more reading."""
    if previous is None:
        return Movement(offsets, now, unchanged_since=now, told=offsets)
    moved = offsets.mark != previous.latest.mark
    came = previous.latest.empty and not offsets.empty
    return replace(
        previous,
        latest=offsets,
        read_at=now,
        unchanged_since=now if moved else previous.unchanged_since,
        uncertain=previous.uncertain | _uncertain(previous, offsets),
        first_record=now if came else previous.first_record,
    )


def counted(movement: Movement) -> Movement:
    """The movement once an event has told its rows."""
    return replace(movement, told=movement.latest, uncertain=frozenset())


def flow_of(movement: Movement, now: datetime, quiet_after: timedelta) -> Flow:
    """What is to be said of it; silence is claimed only where a recent reading shows it."""
    since = movement.unchanged_since
    is_recent = now - movement.read_at < quiet_after
    is_quiet = is_recent and movement.read_at - since >= quiet_after
    return Flow(
        _rows(movement), movement.first_record, since if is_quiet else None, movement.read_at
    )


def _rows(movement: Movement) -> dict[str, int]:
    rows: dict[str, int] = {}
    for place, offset in movement.latest.committed.items():
        if place[0] not in movement.uncertain:
            before = movement.told.committed[place]
            rows[place[0]] = rows.get(place[0], 0) + offset - before
    return rows


def _uncertain(previous: Movement, offsets: Offsets) -> frozenset[str]:
    """Where a count would be invented: where a partition began is not known, nor a reset's gap."""
    known, counted_from = previous.latest.committed, previous.told.committed
    return frozenset(
        topic
        for (topic, partition), offset in offsets.committed.items()
        if (topic, partition) not in counted_from or offset < known.get((topic, partition), offset)
    )
