"""The thread that looks at one cluster again and again until it is told to stop."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import structlog

from mainstem.clock import monotonic
from mainstem.errors import MainstemError
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.journal import LookOutcome
from mainstem.watch.loop.cluster import Surroundings, Tick, WatchedCluster
from mainstem.watch.loop.offsets import OffsetsThread
from mainstem.watch.loop.tick import run_tick
from mainstem.watch.resolvers import reads

if TYPE_CHECKING:
    from collections.abc import Generator

    from mainstem.watch.loop.settings import ClusterSettings

log = structlog.get_logger()

TOPICS_AT_ONCE = 8


class ClusterThread(threading.Thread):
    """Looks at one cluster every interval; ``stop`` ends it after the look it is in."""

    def __init__(self, settings: ClusterSettings, surroundings: Surroundings) -> None:
        super().__init__(name=f"watch-{settings.cluster.name}")
        self.settings = settings
        self._surroundings = surroundings
        self._stopped = threading.Event()

    def run(self) -> None:
        """Look until ``stop``."""
        interval = self.settings.cluster.interval.total_seconds()
        with (
            watched_cluster(self.settings, self._surroundings) as cluster,
            asking_offsets(cluster),
        ):
            while not self._stopped.is_set():
                began = monotonic()
                look_at(cluster)
                self._stopped.wait(max(0.0, interval - (monotonic() - began)))

    def stop(self) -> None:
        """Ask it to end; ``join`` tells when it has."""
        self._stopped.set()


@contextmanager
def watched_cluster(
    settings: ClusterSettings, surroundings: Surroundings
) -> Generator[WatchedCluster]:
    """A cluster ready to be looked at, its connections given back at the end."""
    with (
        ConnectClient(settings.access, allowed_keys()) as client,
        ThreadPoolExecutor(TOPICS_AT_ONCE) as pool,
    ):
        yield WatchedCluster(settings, client, surroundings, pool)


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


def look_at(cluster: WatchedCluster) -> MainstemError | None:
    """One look; whatever goes wrong in it stays in this cluster and this look."""
    try:
        tick = run_tick(cluster)
    except MainstemError as error:
        _note_trouble(cluster, error)
        return error
    except Exception as error:
        log.exception("look failed", cluster=cluster.name)
        trouble = MainstemError(f"internal error: {type(error).__name__}")
        _note_trouble(cluster, trouble)
        return trouble
    _report(cluster.name, tick)
    return None


def allowed_keys() -> AllowedKeys:
    """The config keys that may leave ``connect``: those that any resolver or transform reads."""
    declared = reads()
    return AllowedKeys(declared.names, declared.patterns)


def _note_trouble(cluster: WatchedCluster, error: MainstemError) -> None:
    log.warning("cluster not seen", cluster=cluster.name, reason=str(error))
    try:
        outcome = LookOutcome(cluster.clock(), trouble=str(error))
        cluster.journal.save(cluster.name, (), outcome)
    except MainstemError as unwritable:
        log.exception("journal not written", cluster=cluster.name, reason=str(unwritable))


def _report(cluster: str, tick: Tick) -> None:
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
