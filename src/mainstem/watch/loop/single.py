"""One connector of a live cluster, looked at once; nothing is remembered and nothing emitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import ConnectRefused
from mainstem.watch.connect.client import ConnectClient
from mainstem.watch.loop.basis import Basis
from mainstem.watch.loop.cluster_thread import allowed_keys
from mainstem.watch.loop.kafka_name import name_for_connector
from mainstem.watch.loop.resolving import connector_for
from mainstem.watch.resolvers import resolve

if TYPE_CHECKING:
    from mainstem.watch.loop.settings import ClusterSettings
    from mainstem.watch.resolvers.model import Connector, Resolution, Unresolved


def look_at_one(settings: ClusterSettings, name: str) -> tuple[Connector, Resolution | Unresolved]:
    """The connector of that name and what it reads and writes, by config and by topics seen."""
    with ConnectClient(settings.access, allowed_keys()) as client:
        snapshot = client.look()
        observed = snapshot.connectors.get(name)
        if observed is None:
            there = ", ".join(sorted(snapshot.connectors)) or "none"
            raise ConnectRefused(
                settings.access.urls[0], f"no connector is called {name!r}; there are: {there}"
            )
        worker, topics = client.worker(), client.topics(name)
    cluster = settings.kafka_name(worker.kafka_cluster_id)
    kafka = name_for_connector(observed.config, observed.type, cluster)
    basis = Basis(topics, cluster, worker.version, {}, quiet_since=None)
    connector = connector_for(settings, observed, kafka, basis)
    return connector, resolve(connector)
