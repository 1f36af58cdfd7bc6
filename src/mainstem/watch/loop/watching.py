"""Every cluster of a recipe watched side by side, and a changed recipe taken over on the way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from queue import SimpleQueue
from typing import TYPE_CHECKING

from mainstem.errors import BadRecipe, ConnectRefused, MainstemError
from mainstem.logs import log
from mainstem.watch.loop.cluster_thread import ClusterThread, look_at, watched_cluster
from mainstem.watch.loop.settings import ClusterSettings, settings_of
from mainstem.watch.loop.takeover import plan_takeover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mainstem.recipe import Recipe
    from mainstem.watch.loop.cluster import Surroundings


class _Order(Enum):
    STOP = auto()
    TAKE_OVER = auto()


class Watcher:
    """Watches every cluster of a recipe; one that is in trouble never holds up another."""

    def __init__(
        self, recipe: Recipe, surroundings: Surroundings, environment: Mapping[str, str]
    ) -> None:
        self._surroundings = surroundings
        self._environment = environment
        self._wanted = self._settings(recipe)
        self._threads: dict[str, ClusterThread] = {}
        # A signal handler may put while the main thread gets: no other queue allows that.
        self._orders: SimpleQueue[_Order] = SimpleQueue()

    def once(self) -> Mapping[str, MainstemError | None]:
        """One look at each cluster, side by side; what went wrong, by cluster."""
        with ThreadPoolExecutor(len(self._wanted)) as pool:
            outcomes = pool.map(self._look_once, self._wanted.values())
            return dict(zip(self._wanted, outcomes, strict=True))

    def run(self, reload: Callable[[], Recipe]) -> None:
        """Look until ``stop``; ``take_over`` asks ``reload`` for the recipe as it is now."""
        self._surroundings.journal.leave_all_but(self._wanted)
        self._begin(self._wanted)
        while self._orders.get() is not _Order.STOP:
            self._take_over(reload)
        self._end(tuple(self._threads))

    def stop(self) -> None:
        """Let every cluster end after the look it is in; safe in a signal handler."""
        self._orders.put(_Order.STOP)

    def take_over(self) -> None:
        """Go on with the recipe as it is now; safe in a signal handler."""
        self._orders.put(_Order.TAKE_OVER)

    def lifeless(self) -> tuple[str, ...]:
        """The clusters whose thread ended unasked or hangs."""
        return tuple(name for name, thread in list(self._threads.items()) if thread.is_lifeless())

    def _settings(self, recipe: Recipe) -> dict[str, ClusterSettings]:
        return {
            cluster.name: settings_of(recipe, cluster, self._environment)
            for cluster in recipe.clusters
        }

    def _take_over(self, reload: Callable[[], Recipe]) -> None:
        try:
            wanted = self._settings(reload())
        except BadRecipe as error:
            log.exception("recipe not taken over, going on with the old one", why=str(error))
            return
        plan = plan_takeover(self._wanted, wanted)
        self._end(plan.end)
        self._wanted = wanted
        self._surroundings.journal.leave_all_but(wanted)
        self._begin(plan.begin)
        log.info("recipe taken over", ended=plan.end, begun=plan.begin, clusters=len(wanted))

    def _begin(self, clusters: Iterable[str]) -> None:
        for name in clusters:
            self._threads[name] = ClusterThread(self._wanted[name], self._surroundings)
            self._threads[name].start()

    def _end(self, clusters: Iterable[str]) -> None:
        ending = [self._threads.pop(name) for name in clusters]
        for thread in ending:
            thread.stop()
        for thread in ending:
            thread.join()

    def _look_once(self, settings: ClusterSettings) -> MainstemError | None:
        try:
            with watched_cluster(settings, self._surroundings) as cluster:
                outcome = look_at(cluster, self._surroundings)
                return outcome if isinstance(outcome, MainstemError) else None
        except ConnectRefused as error:
            return error
