"""How long to wait after a failure, and which keys wait: pure, told the time.

A failure may be the event's fault (a backend that answers 500 to one run for ever) or the
destination's. Who is to blame shows in what comes next: the key that failed is a *suspect*, and
another key is tried. If that one gets through, the suspect alone is at fault and waits alone,
longer each time. If that one fails too, the whole destination waits.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec import Struct, field

SUSPECTS_THAT_BLAME_THE_DESTINATION = 2

Jitter = Callable[[], float]
"""Answers a number in [0, 1)."""


class Schedule(Struct, frozen=True):
    """Waits that double from ``first`` to ``cap`` seconds, each shortened by up to a half."""

    first: float = 0.5
    cap: float = 60.0
    longest_wish: float = 3600.0
    """A destination's own Retry-After is honoured up to this."""

    jitter: Jitter = random.SystemRandom().random

    def wait(self, failures: int) -> float:
        """Seconds to wait after this many failures in a row, the first being 1."""
        doublings = min(failures - 1, 32)
        return min(self.cap, self.first * 2.0**doublings) * (1.0 - self.jitter() / 2.0)


class _Penalty(Struct):
    failures: int
    until: float


class Patience(Struct):
    """What one destination's failures so far say about whom to try, and when."""

    schedule: Schedule = field(default_factory=Schedule)
    _failures: int = 0
    _whole_until: float = 0.0
    _suspects_until: float = 0.0
    _suspects: dict[str, None] = field(default_factory=dict[str, None])
    """Keys that failed since the last success, the one that failed longest ago first."""

    _penalties: dict[str, _Penalty] = field(default_factory=dict[str, _Penalty])
    """Keys that failed while others got through."""

    def whole_wait(self, now: float) -> float:
        """Seconds for which the whole destination is left alone."""
        return max(0.0, self._whole_until - now)

    def blocked(self, now: float) -> frozenset[str]:
        """The keys that are not to be tried now, if there is any other."""
        waiting = (key for key, penalty in self._penalties.items() if penalty.until > now)
        return frozenset((*waiting, *self._suspects))

    def suspect_to_retry(self, now: float) -> str | None:
        """The key to try when all others are blocked or done."""
        if not self._suspects or self._suspects_until > now:
            return None
        return next(iter(self._suspects))

    def next_chance(self, now: float) -> float | None:
        """Seconds until a blocked key may be tried; None when no key is blocked."""
        chances = [penalty.until for penalty in self._penalties.values() if penalty.until > now]
        if self._suspects:
            chances.append(self._suspects_until)
        return max(0.0, min(chances) - now) if chances else None

    def delivered(self, key: str, now: float) -> None:
        """The destination took an event: every other suspect is at fault itself."""
        self._failures = 0
        self._penalties.pop(key, None)
        for suspect in self._suspects:
            if suspect != key:
                self._punish(suspect, now)
        self._suspects.clear()

    def failed(self, key: str, now: float) -> None:
        """An event did not get through, for a reason that may lie in the event."""
        self._failures += 1
        self._suspects.pop(key, None)
        self._suspects[key] = None
        self._suspects_until = now + self.schedule.wait(self._failures)
        if len(self._suspects) >= SUSPECTS_THAT_BLAME_THE_DESTINATION:
            self._whole_until = self._suspects_until

    def failed_whole(self, now: float, wish: float | None = None) -> None:
        """The destination takes nothing now; ``wish`` is its own Retry-After."""
        self._failures += 1
        own = self.schedule.wait(self._failures)
        self._whole_until = now + (own if wish is None else min(wish, self.schedule.longest_wish))

    def locked(self, now: float) -> None:
        """The destination does not let us in; a person must act, so it is asked seldom."""
        self._whole_until = now + self.schedule.cap

    def forget(self, key: str) -> None:
        """Nothing of this key is left to deliver."""
        self._suspects.pop(key, None)
        self._penalties.pop(key, None)

    def _punish(self, key: str, now: float) -> None:
        failures = self._penalties[key].failures + 1 if key in self._penalties else 1
        self._penalties[key] = _Penalty(failures, now + self.schedule.wait(failures))
