"""What a recipe's clusters tell the doctor: their connectors, and the ids of their Kafkas."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.picture import Dataset, Job, Link, Picture
    from mainstem.names.dataset import DatasetName
    from mainstem.recipe import Recipe
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.loop.settings import ClusterSettings
    from mainstem.watch.loop.single import Seen
    from mainstem.watch.resolvers.model import Resolution


def picture_of_clusters(config: Path) -> Picture:
    """The connectors of every cluster in a recipe, by their configs."""
    from mainstem import clock
    from mainstem.doctor.picture import Picture

    recipe, seen = _look(config)
    drawn = _Drawn()
    jobs = [
        drawn.job(settings.job_namespace, name, *told)
        for settings, cluster in seen
        for name, told in cluster.connectors.items()
    ]
    return Picture(
        clock.now(),
        drawn.datasets(),
        tuple(jobs),
        links=_links(recipe),
        cluster_ids=_ids(cluster for _, cluster in seen),
        is_whole=False,
    )


def with_cluster_ids(picture: Picture, config: Path) -> Picture:
    """A picture that knows the ids of the Kafka clusters in a recipe."""
    from msgspec.structs import replace

    _, seen = _look(config)
    return replace(picture, cluster_ids=_ids(cluster for _, cluster in seen))


def with_broker_ids(picture: Picture, backend: str | None, config: Path | None) -> Picture:
    """A picture that knows the ids of the Kafka clusters whose brokers answer from here."""
    from msgspec.structs import replace

    from mainstem.doctor.reading.brokers import ask_brokers, brokers_in

    brokers = brokers_in(name.namespace for dataset in picture.datasets for name in dataset.names)
    if not _is_here(backend, config):
        local = [one for one, server in brokers.items() if server.is_loopback]
        _note("not asked, since they may mean another machine", local)
        brokers = {one: server for one, server in brokers.items() if one not in local}
    answers = ask_brokers(brokers)
    _note("no broker told its cluster's id", [one for one in brokers if one not in answers])
    return replace(picture, cluster_ids={**answers, **picture.cluster_ids})


def _note(what: str, namespaces: list[str]) -> None:
    if namespaces:
        print(f"mainstem doctor: {what}: {', '.join(sorted(namespaces))}", file=sys.stderr)


def _is_here(backend: str | None, config: Path | None) -> bool:
    """Whether what is looked at is of this machine, so that its localhost is ours."""
    from mainstem.doctor.servers import is_loopback
    from mainstem.recipe import load

    clusters = () if config is None else load(config, os.environ).clusters
    urls = [url for cluster in clusters for url in cluster.urls]
    hosts = [urlsplit(url).hostname for url in (urls if backend is None else [backend, *urls])]
    return bool(hosts) and all(host is not None and is_loopback(host) for host in hosts)


def _look(config: Path) -> tuple[Recipe, list[tuple[ClusterSettings, Seen]]]:
    from mainstem.recipe import load
    from mainstem.watch.loop.settings import settings_of
    from mainstem.watch.loop.single import look_at_all

    recipe = load(config, os.environ)
    settings = [settings_of(recipe, cluster, os.environ) for cluster in recipe.clusters]
    return recipe, [(one, look_at_all(one)) for one in settings]


def recipe_links(config: Path) -> tuple[Link, ...]:
    """The namespaces that a recipe says to be one."""
    from mainstem.recipe import load

    return _links(load(config, os.environ))


def _links(recipe: Recipe) -> tuple[Link, ...]:
    from mainstem.doctor.picture import Link

    return tuple(
        Link(chosen, None, other, None)
        for chosen, others in recipe.namespaces.items()
        for other in others
    )


def _ids(seen: Iterator[Seen]) -> dict[str, str]:
    return {one.kafka.namespace: one.cluster_id for one in seen if one.cluster_id}


class _Drawn:
    """Datasets by the order in which connectors name them."""

    def __init__(self) -> None:
        self._places: dict[DatasetName, int] = {}
        self._datasets: list[Dataset] = []

    def datasets(self) -> tuple[Dataset, ...]:
        """All of them."""
        return tuple(self._datasets)

    def job(self, namespace: str, name: str, observed: ObservedConnector, told: Resolution) -> Job:
        """One connector."""
        from mainstem.doctor.picture import Job, JobName

        return Job(
            JobName(namespace, told.job_name or name),
            integration="KAFKA_CONNECT",
            type=f"{observed.type.upper()}_CONNECTOR",
            streaming=True,
            state=observed.state.value,
            inputs=tuple(self._place(one, told) for one in told.inputs),
            outputs=tuple(self._place(one, told) for one in told.outputs),
            pairs=tuple(
                (self._place(edge.input, told), self._place(edge.output, told))
                for edge in told.edges
            ),
            connector_class=observed.connector_class,
            unresolved=told.unresolved,
        )

    def _place(self, name: DatasetName, told: Resolution) -> int:
        from mainstem.doctor.picture import Dataset

        if name not in self._places:
            self._places[name] = len(self._datasets)
            others = tuple(link.dataset for link in told.symlinks.get(name, ()))
            kind = "TOPIC" if name.namespace.startswith("kafka://") else "TABLE"
            self._datasets.append(Dataset(name, kind, others))
        return self._places[name]
