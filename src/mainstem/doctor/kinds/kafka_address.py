"""One Kafka broker, its address written in several ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.namespaces import (
    are_other_clusters,
    best_namespace,
    cluster_ids,
    one_system,
    servers,
    spellings,
)
from mainstem.doctor.servers import Server, read_address
from mainstem.names.kafka import DEFAULT_PORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "kafka-address"
Brokers = frozenset[Server]


def find(view: View) -> Iterator[Finding]:
    """Namespaces that name one broker, in a list, behind a listener's protocol, without a port."""
    named = [one for one, address in servers(view).items() if address.system == "kafka"]
    written = spellings(view)
    brokers = {one: _brokers(written.get(one, {one})) for one in sorted(named)}
    ids = cluster_ids(view)
    groups = _groups(brokers, ids)
    for group in groups:
        chosen = best_namespace(view, group)
        for other in sorted({*group} - {chosen}):
            how = _how(brokers[chosen], brokers[other])
            yield one_system(view, KIND, [chosen, other], Confidence.CERTAIN, how)
    for one in brokers:
        yield from _without_port(view, one, groups, brokers, ids)


def _how(one: Brokers, other: Brokers) -> str:
    if shared := _full(one) & _full(other):
        first = min(shared, key=str)
        return f"both name the broker {first.host}:{first.port}"
    return "a list of brokers names both"


def _groups(brokers: Mapping[str, Brokers], ids: Mapping[str, set[str]]) -> list[list[str]]:
    """Namespaces by the brokers that they share, with host and port."""
    group_of = {one: [one] for one in brokers}
    named: dict[Server, str] = {}
    for one in brokers:
        for server in _full(brokers[one]):
            first, second = group_of[named.setdefault(server, one)], group_of[one]
            if first is not second and not _are_apart(ids, first, second):
                first += second
                group_of |= dict.fromkeys(second, first)
    return [group for one, group in group_of.items() if group[0] == one]


def _are_apart(ids: Mapping[str, set[str]], ones: list[str], others: list[str]) -> bool:
    return any(are_other_clusters(ids, one, other) for one in ones for other in others)


def _without_port(
    view: View,
    one: str,
    groups: list[list[str]],
    brokers: Mapping[str, Brokers],
    ids: Mapping[str, set[str]],
) -> Iterator[Finding]:
    """Of a host without a port, whose broker it may be."""
    hosts = {server.host for server in brokers[one] if server.port is None}
    near = [
        (group, host)
        for group in (groups if hosts else ())
        if one not in group and not _are_apart(ids, [one], group)
        for host in sorted({server.host or "" for at in group for server in brokers[at]})
        if host in hosts
    ]
    for group, host in near:
        confidence = Confidence.LIKELY if len(near) == 1 else Confidence.POSSIBLE
        how = f"one of them names {host} without its port"
        yield one_system(view, KIND, [one, best_namespace(view, group)], confidence, how)


def _brokers(spelled: Iterable[str]) -> Brokers:
    read = [read_address(one) for one in spelled]
    return frozenset(server for one in read if one for server in one.servers if server.host)


def _full(brokers: Brokers) -> Brokers:
    """Brokers with the port they are reached at; the default where none is written."""
    return frozenset(Server(one.host, one.port or DEFAULT_PORT) for one in brokers)
