"""A run's memory as bytes, and back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import orjson
from msgspec.structs import asdict

from mainstem.watch.runs.model import Ended, RunMemory


def to_bytes(memory: RunMemory) -> bytes:
    """The memory as it lies in the journal."""
    return orjson.dumps(asdict(memory))


def from_bytes(stored: bytes) -> RunMemory:
    """The memory that was stored."""
    tree: dict[str, Any] = orjson.loads(stored)
    return RunMemory(
        run_id=tree["run_id"],
        last_time=_time(tree["last_time"]),
        fingerprint=tree["fingerprint"],
        degraded=tree["degraded"],
        unsettled_since=_time(tree["unsettled_since"]),
        ended=Ended(tree["ended"]),
    )


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
