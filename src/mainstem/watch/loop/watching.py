"""The threads that look again and again, one per cluster, until they are told to stop."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import structlog

from mainstem.clock import Clock, monotonic
from mainstem.errors import MainstemError
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.journal import Journal, LookOutcome
from mainstem.watch.loop.settings import ClusterSettings, settings_of
from mainstem.watch.loop.tick import Tick, WatchedCluster, run_tick
from mainstem.watch.resolvers import reads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.recipe import Recipe

log = structlog.get_logger()

TOPICS_AT_ONCE = 8


class Watcher:
    """Watches every cluster of a recipe; one that is in trouble never holds up another."""

    def __init__(
        self,
        recipe: Recipe,
        journal: Journal,
        clock: Clock,
        environment: Mapping[str, str],
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._stop = threading.Event()
        self._settings = [settings_of(recipe, each, environment) for each in recipe.clusters]

    def once(self) -> Mapping[str, MainstemError | None]:
        """One look at each cluster, side by side; what went wrong, by cluster."""
        with ThreadPoolExecutor(len(self._settings)) as pool:
            outcomes = pool.map(self._look_once, self._settings)
            return dict(zip((each.cluster.name for each in self._settings), outcomes, strict=True))

    def run(self) -> None:
        """Look until ``stop``."""
        threads = [
            threading.Thread(target=self._watch, args=(each,), name=f"watch-{each.cluster.name}")
            for each in self._settings
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def stop(self) -> None:
        """Let every thread end after the look it is in."""
        self._stop.set()

    def _look_once(self, settings: ClusterSettings) -> MainstemError | None:
        with _open_client(settings) as client, ThreadPoolExecutor(TOPICS_AT_ONCE) as pool:
            cluster = WatchedCluster(settings, client, self._journal, self._clock, pool)
            return self._look(cluster)

    def _watch(self, settings: ClusterSettings) -> None:
        interval = settings.cluster.interval.total_seconds()
        with _open_client(settings) as client, ThreadPoolExecutor(TOPICS_AT_ONCE) as pool:
            cluster = WatchedCluster(settings, client, self._journal, self._clock, pool)
            while not self._stop.is_set():
                began = monotonic()
                self._look(cluster)
                self._stop.wait(max(0.0, interval - (monotonic() - began)))

    def _look(self, cluster: WatchedCluster) -> MainstemError | None:
        """One look; whatever goes wrong in it stays in this cluster and this look."""
        try:
            tick = run_tick(cluster)
        except MainstemError as error:
            self._note_trouble(cluster, error)
            return error
        except Exception as error:
            log.exception("look failed", cluster=cluster.name)
            trouble = MainstemError(f"internal error: {type(error).__name__}")
            self._note_trouble(cluster, trouble)
            return trouble
        _report(cluster.name, tick)
        return None

    def _note_trouble(self, cluster: WatchedCluster, error: MainstemError) -> None:
        log.warning("cluster not seen", cluster=cluster.name, reason=str(error))
        try:
            outcome = LookOutcome(self._clock(), trouble=str(error))
            self._journal.save(cluster.name, (), outcome)
        except MainstemError as unwritable:
            log.exception("journal not written", cluster=cluster.name, reason=str(unwritable))


def allowed_keys() -> AllowedKeys:
    """The config keys that may leave ``connect``: those that any resolver or transform reads."""
    declared = reads()
    return AllowedKeys(declared.names, declared.patterns)


def _open_client(settings: ClusterSettings) -> ConnectClient:
    return ConnectClient(settings.access, allowed_keys())


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
