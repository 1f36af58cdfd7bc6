"""What connectors that copy topics between two Kafka clusters have in common."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.watch.resolvers.model import Symlink
from mainstem.watch.resolvers.sources import Source, Stranger, feed_of
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.resolvers.name_lists import NameLists
    from mainstem.watch.transforms.settings import Settings

_OWN_POLICY = "the config does not tell how the copies are called"
_OPEN = "topics: the lists do not spell out every topic; the topics seen would tell"


def in_cluster(connector: Connector, config: Settings, *keys: str) -> Connector:
    """The connector as one of the cluster that it writes to, if the config names that cluster."""
    try:
        servers = config.first(*keys)
        return (
            replace(connector, kafka_namespace=kafka.cluster_namespace(servers))
            if servers
            else connector
        )
    except CannotTell:
        # The worker writes the records itself, so its own cluster is the target all the same.
        return connector


def copied(
    included: NameLists,
    *,
    excluded: Callable[[str], bool],
    source_address: Callable[[], str],
    prefix: str | None,
) -> Source:
    """A source whose topics are called like those it reads, a prefix before the name.

    Without a prefix (None) the names of the copies cannot be told.
    """

    def original(name: str) -> DatasetName:
        return kafka.topic(kafka.cluster_namespace(source_address()), name)

    def wanted(name: str) -> bool:
        return included.allows(name) and not excluded(name)

    def copy_of(name: str) -> str | Unpredictable:
        return Unpredictable(_OWN_POLICY) if prefix is None else prefix + name

    def input_of(topic: str) -> DatasetName | Stranger:
        if prefix is None or not topic.startswith(prefix):
            return Stranger.FOREIGN
        name = topic.removeprefix(prefix)
        return original(name) if wanted(name) else Stranger.EXCLUDED

    names = [name for name in included.exact if wanted(name)]
    return Source(
        feeds=tuple(feed_of(copy_of(name), partial(original, name)) for name in names),
        input_of=input_of,
        unresolved=() if included.complete else (_OPEN,),
    )


def seen_also_as(namespace: str, told: Resolution) -> Resolution:
    """The resolution with each copy also known in the worker's own cluster, which holds it."""
    symlinks = {
        output: (Symlink(kafka.topic(namespace, output.name), "TOPIC"),)
        for output in told.outputs
        if output.namespace != namespace
    }
    return replace(told, symlinks=symlinks)
