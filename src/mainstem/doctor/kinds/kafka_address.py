"""One Kafka broker, its address written in several ways."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.namespaces import (
    are_other_clusters,
    cluster_ids,
    one_system,
    servers,
    spellings,
)
from mainstem.doctor.servers import Server, read_address
from mainstem.names.kafka import DEFAULT_PORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "kafka-address"


def find(view: View) -> Iterator[Finding]:
    """Namespaces that name one broker, in a list, behind a listener's protocol, without a port."""
    named = [one for one, address in servers(view).items() if address.system == "kafka"]
    written = spellings(view)
    brokers = {one: _brokers(written.get(one, {one})) for one in sorted(named)}
    ids = cluster_ids(view)
    for one, other in combinations(brokers, 2):
        if are_other_clusters(ids, one, other):
            continue
        if shared := _full(brokers[one]) & _full(brokers[other]):
            first = min(shared, key=str)
            how = f"both name the broker {first.host}:{first.port}"
            yield one_system(view, KIND, [one, other], Confidence.CERTAIN, how)
        elif host := _host_without_port(brokers[one], brokers[other]):
            others = [at for at in brokers if at not in (one, other)]
            is_alone = not any(server.host == host for at in others for server in brokers[at])
            confidence = Confidence.LIKELY if is_alone else Confidence.POSSIBLE
            how = f"one of them names {host} without its port"
            yield one_system(view, KIND, [one, other], confidence, how)


def _brokers(spelled: Iterable[str]) -> frozenset[Server]:
    read = [read_address(one) for one in spelled]
    return frozenset(server for one in read if one for server in one.servers if server.host)


def _full(brokers: frozenset[Server]) -> frozenset[Server]:
    """Brokers with the port they are reached at; the default where none is written."""
    return frozenset(Server(one.host, one.port or DEFAULT_PORT) for one in brokers)


def _host_without_port(one: frozenset[Server], other: frozenset[Server]) -> str | None:
    for first, second in ((one, other), (other, one)):
        hosts = {server.host for server in second}
        for server in sorted(first, key=str):
            if server.port is None and server.host in hosts:
                return server.host
    return None
