"""One look at every cluster of a recipe, for whoever does not watch."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from mainstem.errors import ConnectRefused, MainstemError
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.loop.cluster_thread import allowed_keys, look_at, watched_cluster
from mainstem.watch.loop.settings import ClusterSettings, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mainstem.recipe import Recipe
    from mainstem.watch.loop.cluster import Surroundings, Tick

T = TypeVar("T")

EVERY_TIME = timedelta(milliseconds=1)
"""Each ingestion tells every run that goes on: nobody knows when the next one comes."""


def ingest(
    recipe: Recipe,
    surroundings: Surroundings,
    environment: Mapping[str, str],
    at_most: int | None = None,
) -> dict[str, Tick | MainstemError]:
    """By cluster, one whole look, or why there was none."""

    def look(settings: ClusterSettings) -> Tick | MainstemError:
        is_whole = at_most is None
        policy = replace(settings.policy, heartbeat=EVERY_TIME, ends_left_out=is_whole)
        try:
            wanted = replace(settings, policy=policy, at_most=at_most)
            with watched_cluster(wanted, surroundings) as cluster:
                return look_at(cluster, surroundings)
        except ConnectRefused as error:
            return error

    return _side_by_side(recipe, environment, look)


def try_connections(
    recipe: Recipe, environment: Mapping[str, str]
) -> dict[str, tuple[str, int] | MainstemError]:
    """By cluster, its version and how many connectors it has, or why that cannot be told."""

    def ask(settings: ClusterSettings) -> tuple[str, int] | MainstemError:
        try:
            with ConnectClient(settings.access, allowed_keys()) as client:
                return client.worker().version, len(client.look().connectors)
        except MainstemError as error:
            return error

    return _side_by_side(recipe, environment, ask)


def _side_by_side(
    recipe: Recipe, environment: Mapping[str, str], ask: Callable[[ClusterSettings], T]
) -> dict[str, T]:
    wanted = {each.name: settings_of(recipe, each, environment) for each in recipe.clusters}
    with ThreadPoolExecutor(len(wanted)) as pool:
        return dict(zip(wanted, pool.map(ask, wanted.values()), strict=True))
