"""Which Connect cluster and which Kafka plan and explain speak of, by their flags."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from mainstem.errors import BadRecipe, CannotTell
from mainstem.scrub import scrub

if TYPE_CHECKING:
    from pathlib import Path

    from mainstem.recipe import Recipe
    from mainstem.watch.loop.kafka_name import KafkaName
    from mainstem.watch.loop.settings import ClusterSettings


NO_CREDENTIALS = (
    "holds a user name or a password, which a command line shows to everybody; write a recipe with "
    "the address, username and password (${VARIABLE} takes it from the environment), and give it "
    "with -c FILE instead"
)


class Where(NamedTuple):
    """What the flags say of the cluster that is meant."""

    connect: str | None = None
    kafka: str | None = None
    config: Path | None = None
    cluster: str | None = None

    def settings(self) -> ClusterSettings | None:
        """The live cluster, with what opens its door; None where none is meant."""
        self._check()
        if self.config is None and self.connect is None:
            return None
        from mainstem.watch.loop.settings import settings_of

        recipe = self._recipe()
        return settings_of(recipe, recipe.clusters[self._number(recipe)], os.environ)

    def kafka_name(self) -> KafkaName:
        """The Kafka that the flag or the environment names, where no cluster can be asked."""
        from mainstem.names.kafka import cluster_namespace
        from mainstem.watch.loop.kafka_name import UNKNOWN, KafkaName

        said = {"--kafka": self.kafka, "KAFKA_BOOTSTRAP": os.environ.get("KAFKA_BOOTSTRAP")}
        for place, bootstrap in said.items():
            if bootstrap:
                try:
                    return KafkaName(cluster_namespace(bootstrap))
                except CannotTell as error:
                    mistake = f"{scrub(bootstrap)!r}: must be HOST:PORT, several with commas"
                    raise BadRecipe(place, [mistake]) from error
        return KafkaName(UNKNOWN)

    def _check(self) -> None:
        """Mistakes in flags, each under the flag's own name."""
        if self.config is None and self.cluster is not None:
            raise BadRecipe("--cluster", ["names a cluster of a recipe; give one with -c FILE"])
        beside = {"--connect": self.connect, "--kafka": self.kafka}
        if self.config is not None:
            given = [flag for flag, value in beside.items() if value is not None]
            if given:
                raise BadRecipe(given[0], [f"goes without -c; put it into {self.config}"])
        if self.connect is not None:
            _check_address(self.connect)
        self.kafka_name()

    def _recipe(self) -> Recipe:
        """A watcher's recipe, one for ingest, or what --connect stands for."""
        from mainstem.recipe import from_flags, load
        from mainstem.recipe.as_watched import as_watched
        from mainstem.recipe.ingestion_loading import load_ingestion
        from mainstem.recipe.loading import read_map

        if self.config is None:
            return from_flags(self.connect or "", kafka=self.kafka)
        if "source" in read_map(self.config, "clusters"):
            return as_watched(load_ingestion(self.config, os.environ).recipe)
        return load(self.config, os.environ)

    def _number(self, recipe: Recipe) -> int:
        names = [one.name for one in recipe.clusters]
        if self.cluster is None and len(names) == 1:
            return 0
        if self.cluster not in names:
            said = (
                "is missing" if self.cluster is None else f"{self.cluster!r}: is not in the recipe"
            )
            raise BadRecipe("--cluster", [f"{said}; {self.config} has {', '.join(names)}"])
        return names.index(self.cluster)


def _check_address(connect: str) -> None:
    from mainstem.recipe.model import http_only

    for url in (part.strip() for part in connect.split(",")):
        if "@" in url:
            raise BadRecipe("--connect", [NO_CREDENTIALS])
        try:
            http_only(url)
            _ = urlsplit(url).port
        except ValueError as error:
            raise BadRecipe("--connect", [f"{scrub(url)!r}: {error}"]) from error
