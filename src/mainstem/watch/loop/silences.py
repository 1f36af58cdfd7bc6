"""A cluster that is not seen is said once, and again when the reason changes or it goes on long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.clock import monotonic
from mainstem.logs import log

if TYPE_CHECKING:
    from collections.abc import Callable

REMINDER_SECONDS = 600.0


class _Silence(Struct):
    reason: str
    told_at: float
    looks: int = 0
    """How many in a row saw nothing, whatever the reason."""


class Silences(Struct, frozen=True):
    """Which clusters are not seen, as far as the log has said."""

    monotonic: Callable[[], float] = monotonic
    _by_cluster: dict[str, _Silence] = field(default_factory=dict[str, _Silence])

    def not_seen(self, cluster: str, reason: str) -> None:
        """Note a look that saw nothing; tell what is new, or a reminder."""
        now, known = self.monotonic(), self._by_cluster.get(cluster)
        looks = known.looks + 1 if known else 1
        if known is None or known.reason != reason:
            log.warning("cluster not seen", cluster=cluster, reason=reason)
            self._by_cluster[cluster] = _Silence(reason, now, looks)
            return
        known.looks = looks
        if now - known.told_at >= REMINDER_SECONDS:
            log.warning("cluster still not seen", cluster=cluster, reason=reason, looks=looks)
            known.told_at = now

    def seen(self, cluster: str) -> None:
        """Note a look that saw the cluster."""
        silence = self._by_cluster.pop(cluster, None)
        if silence is not None:
            log.info("cluster seen again", cluster=cluster, missed_looks=silence.looks)
