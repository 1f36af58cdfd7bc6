"""Run ids: derived, so that a replay of the same sights repeats them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


def run_id(first_sight: datetime, *identity: str) -> UUID:
    """The run that began at ``first_sight`` of what ``identity`` names, as a UUIDv7."""
    # The client's package takes 160 ms to import; commands that make no run must not pay that.
    from openlineage.client.uuid import generate_static_uuid  # noqa: PLC0415

    # The lengths keep ("a", "bc") and ("ab", "c") apart.
    data = "".join(f"{len(part)}:{part}" for part in identity)
    return generate_static_uuid(first_sight, data.encode("utf-8", "surrogatepass"))
