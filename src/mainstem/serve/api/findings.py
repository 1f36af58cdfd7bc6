"""Findings about the whole estate, kept until something changes; who makes them is handed in."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import orjson

from mainstem.said.times import SECOND, iso

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 30 * SECOND
"""How long findings are kept although nothing was told: that a run is silent, nobody tells."""


class Findings:
    """Asks whoever judges an estate, one at a time."""

    def __init__(self) -> None:
        self.judge: Callable[[bytes], bytes] | None = None
        """From what ``/api/v2/estate`` answers to what ``/api/v2/findings`` does."""

        self._lock = threading.Lock()
        self._made = (-1, 0)
        self._json = b""

    def current(self, epoch: int, now: int, estate: Callable[[], bytes]) -> bytes:
        """The findings as JSON, made anew in another epoch; none where nobody judges."""
        if self.judge is None:
            return _nothing(now)
        with self._lock:
            made_in, made_at = self._made
            if made_in != epoch or now - made_at > LONGEST:
                self._json = self.judge(estate())
                self._made = (epoch, now)
            return self._json


def _nothing(now: int) -> bytes:
    counts = {"error": 0, "warn": 0, "info": 0}
    return orjson.dumps({"findings": [], "counts": counts, "madeAt": iso(now)})
