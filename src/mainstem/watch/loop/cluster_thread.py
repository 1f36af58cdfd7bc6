"""The thread that looks at one cluster again and again until it is told to stop."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mainstem.clock import monotonic
from mainstem.errors import ConnectRefused, MainstemError
from mainstem.logs import log
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.journal import LookOutcome
from mainstem.watch.loop.cluster import Surroundings, Tick, WatchedCluster
from mainstem.watch.loop.offsets import OffsetsThread
from mainstem.watch.loop.reports import LookReport
from mainstem.watch.loop.tick import run_tick
from mainstem.watch.resolvers import reads

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from mainstem.watch.loop.settings import ClusterSettings

TOPICS_AT_ONCE = 16
LONGEST_LOOK_SECONDS = 300.0
"""Time-outs end every look long before; one that takes longer hangs."""


class ClusterThread(threading.Thread):
    """Looks at one cluster every interval; ``stop`` ends it after the look it is in."""

    def __init__(self, settings: ClusterSettings, surroundings: Surroundings) -> None:
        super().__init__(name=f"watch-{settings.cluster.name}")
        self.settings = settings
        self._surroundings = surroundings
        self._stopped = threading.Event()
        self._interval = settings.cluster.interval.total_seconds()
        self._looked = monotonic()

    def run(self) -> None:
        """Look until ``stop``."""
        while not self._stopped.is_set():
            try:
                self._look_again_and_again()
            except ConnectRefused as error:
                name = self.settings.cluster.name
                _note_trouble(name, self._surroundings, error)
                self._looked = monotonic()
                self._stopped.wait(self._interval)

    def stop(self) -> None:
        """Ask it to end; ``join`` tells when it has."""
        self._stopped.set()

    def is_lifeless(self) -> bool:
        """Whether it ended unasked, or hangs in a look for longer than any look may take."""
        hangs = monotonic() - self._looked > self._interval + LONGEST_LOOK_SECONDS
        return hangs or not self.is_alive()

    def _look_again_and_again(self) -> None:
        with (
            watched_cluster(self.settings, self._surroundings) as cluster,
            asking_offsets(cluster),
        ):
            due = monotonic()
            while not self._stopped.is_set():
                enough_at = monotonic() + self._interval / 2
                look_at(cluster, self._surroundings, lambda end=enough_at: monotonic() > end)
                self._looked = monotonic()
                # from when this look was due, not from when it began: being late does not add up
                due = max(due + self._interval, self._looked)
                self._stopped.wait(due - self._looked)


@contextmanager
def watched_cluster(
    settings: ClusterSettings, surroundings: Surroundings
) -> Generator[WatchedCluster]:
    """A cluster ready to be looked at, its connections given back at the end."""
    pool = ThreadPoolExecutor(TOPICS_AT_ONCE)
    with ConnectClient(
        settings.access, allowed_keys(), surroundings.limits, provided=settings.provided
    ) as client:
        cluster = WatchedCluster(settings, client, surroundings, pool)
        try:
            yield cluster
        finally:
            cluster.schemas.close()
            # whoever ends does not wait for thousands of questions that nobody needs any more
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def asking_offsets(cluster: WatchedCluster) -> Generator[None]:
    """Offsets are asked beside the look for as long as this lasts."""
    rate = cluster.settings.cluster.offsets_rate
    if rate == 0:
        yield
        return
    thread = OffsetsThread(cluster.offsets, rate, cluster.name)
    thread.start()
    try:
        yield
    finally:
        thread.stop()


def look_at(
    cluster: WatchedCluster,
    surroundings: Surroundings,
    enough: Callable[[], bool] = lambda: False,
) -> Tick | MainstemError:
    """One look, or what went wrong in it, which stays in this cluster and this look.

    Once ``enough``, connectors that are new wait for the next look.
    """
    began = monotonic()
    skipped: Mapping[str, int] = {}
    outcome: Tick | MainstemError
    try:
        outcome = run_tick(cluster, enough)
    except MainstemError as failure:
        outcome = failure
    except Exception as failure:
        log.exception("look failed", cluster=cluster.name)
        outcome = MainstemError(f"internal error: {type(failure).__name__}")
    else:
        surroundings.silences.seen(cluster.name)
        skipped = _skipped(outcome)
        _tell(cluster.name, outcome)
    seconds = monotonic() - began
    error = outcome if isinstance(outcome, MainstemError) else None
    surroundings.report(LookReport(cluster.name, cluster.clock(), seconds, error, skipped))
    if error is not None:
        _note_trouble(cluster.name, surroundings, error)
    return outcome


def allowed_keys() -> AllowedKeys:
    """The config keys that may leave ``connect``: those that any resolver or transform reads."""
    declared = reads()
    return AllowedKeys(declared.names, declared.patterns)


def _note_trouble(cluster: str, surroundings: Surroundings, error: MainstemError) -> None:
    surroundings.silences.not_seen(cluster, str(error))
    try:
        outcome = LookOutcome(surroundings.clock(), trouble=str(error))
        surroundings.journal.save(cluster, (), outcome)
    except MainstemError as unwritable:
        log.exception("journal not written", cluster=cluster, reason=str(unwritable))


def _skipped(tick: Tick) -> dict[str, int]:
    unresolved = sum(bool(each.subject.resolution.unresolved) for each in tick.known.values())
    left_out = len(tick.snapshot.connectors) - len(tick.watched)
    reasons = {
        "unreadable": len(tick.snapshot.unreadable),
        "unresolved": unresolved,
        "pattern": left_out,
        "postponed": tick.postponed,
    }
    return {reason: number for reason, number in reasons.items() if number}


def _tell(cluster: str, tick: Tick) -> None:
    for name, reason in tick.snapshot.unreadable.items():
        log.warning("connector not readable", cluster=cluster, connector=name, reason=reason)
    for step in tick.steps:
        for transition in step.transitions:
            log.info(
                "told",
                cluster=cluster,
                connector=step.connector,
                says=transition.telling.value,
                run=transition.run_id,
                why=transition.reason,
            )
