"""Run ids: derived, so that a replay of the same sights repeats them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BITS_AFTER_TIME = 80


def run_id(first_sight: datetime, *identity: str) -> UUID:
    """The run that began at ``first_sight`` of what ``identity`` names, as a UUIDv7."""
    # The client's package takes 160 ms to import; commands that make no run must not pay that.
    from openlineage.client.uuid import generate_static_uuid  # noqa: PLC0415

    # The lengths keep ("a", "bc") and ("ab", "c") apart.
    data = "".join(f"{len(part)}:{part}" for part in identity)
    return generate_static_uuid(first_sight, data.encode("utf-8", "surrogatepass"))


def time_of(run: UUID) -> datetime:
    """The time in a UUIDv7, to the millisecond.

    >>> from uuid import UUID
    >>> time_of(UUID("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")).isoformat()
    '2022-02-22T19:22:22+00:00'
    """
    return EPOCH + timedelta(milliseconds=run.int >> _BITS_AFTER_TIME)
