"""Servers that go by several namespaces: which ones share datasets, and which one to keep."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from mainstem.doctor.finding import Finding, Severity
from mainstem.doctor.joining import are_apart, likeness_of
from mainstem.doctor.likeness import Schemas
from mainstem.doctor.remedies import join_namespaces
from mainstem.doctor.seams import Seam, seam
from mainstem.doctor.servers import read_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mainstem.doctor.finding import Confidence
    from mainstem.doctor.servers import Address
    from mainstem.doctor.view import View

MOST_NAMESPACES = 20
"""A name that so many servers have says nothing about which of them are one."""

MOST_NODES = 50
SEVERAL_WHY = (
    "Each name of the system makes nodes of its own: what is written under one and read under "
    "another is not connected."
)


class Shared(NamedTuple):
    """Datasets of one name in two namespaces."""

    pairs: list[tuple[int, int]]
    seams: list[Seam]

    @property
    def best(self) -> Seam:
        """The most telling of the seams."""
        return max(self.seams, default=Seam.NONE)

    def count(self, least: Seam) -> int:
        """How many seams are as telling as that."""
        return sum(one >= least for one in self.seams)


def servers(view: View) -> dict[str, Address]:
    """The namespaces of servers that hold datasets, read."""
    found = {namespace: read_address(namespace) for namespace in view.in_namespace}
    return {namespace: address for namespace, address in found.items() if address is not None}


def spellings(view: View) -> dict[str, set[str]]:
    """Every way in which a namespace was written, by the one that stands for all."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    one_namespace: dict[str, str] = {}
    for dataset in view.datasets:
        found[dataset.name.namespace].add(dataset.name.namespace)
        for one in dataset.others:
            if one.namespace not in one_namespace:
                one_namespace[one.namespace] = view.aliases.in_one_namespace(one).namespace
            if one_namespace[one.namespace] == dataset.name.namespace:
                found[dataset.name.namespace].add(one.namespace)
    return found


def cluster_ids(view: View) -> dict[str, set[str]]:
    """The ids of the Kafka clusters behind namespaces, as symlinks or whoever asked tell them."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for namespace, cluster in view.picture.cluster_ids.items():
        found[view.one_namespace(namespace)].add(cluster)
    for dataset in view.datasets:
        namespaces = {one.namespace for one in dataset.names if one.namespace[:8] == "kafka://"}
        if len(namespaces) > 1:
            read = {one: read_address(one) for one in namespaces}
            ids = {one.cluster_id for one in read.values() if one and one.cluster_id}
            if ids:
                found[dataset.name.namespace] |= ids
    for namespace in view.in_namespace:
        address = read_address(namespace)
        if address is not None and address.cluster_id is not None:
            found[namespace].add(address.cluster_id)
    return dict(found)


def are_other_clusters(ids: Mapping[str, set[str]], one: str, other: str) -> bool:
    """Whether two namespaces are known to be different clusters."""
    first, second = ids.get(one), ids.get(other)
    return bool(first and second and not first & second)


def shared_between(view: View, among: Iterable[str]) -> dict[tuple[str, str], Shared]:
    """By two namespaces, the datasets that both have; two that cannot be one are left out."""
    named: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for namespace in sorted(among):
        for place in view.in_namespace[namespace]:
            named[view.datasets[place].name.name].append((namespace, place))
    found: defaultdict[tuple[str, str], Shared] = defaultdict(lambda: Shared([], []))
    for places in named.values():
        if 1 < len(places) <= MOST_NAMESPACES:
            for at, (one, first) in enumerate(places):
                for other, second in places[at + 1 :]:
                    shared = found[one, other]
                    shared.pairs.append((first, second))
                    shared.seams.append(seam(view, first, second))
    return {pair: one for pair, one in found.items() if not _is_apart(view, one)}


def _is_apart(view: View, shared: Shared) -> bool:
    """Whether what is shared shows two systems: whole here and there, copied, or different."""
    for first, second in shared.pairs:
        both = (first, second)
        if all(view.readers(at) and view.writers(at) for at in both):
            return True
        if likeness_of(view, *both) is Schemas.DIFFERENT or are_apart(view, *both):
            return True
    return False


def best_namespace(view: View, namespaces: Iterable[str]) -> str:
    """The name to keep: of a known host and port, not of whichever machine asks, used most.

    A watcher is told a cluster's name once for all, by a recipe; programs say what stands in their
    code.
    """

    def goodness(namespace: str) -> tuple[bool, bool, bool, bool, bool, int, str]:
        address = read_address(namespace)
        first = None if address is None else address.first
        return (
            first is None or first.host is None,
            first is None or first.is_loopback,
            first is None or first.port is None,
            address is None or address.is_prefixed,
            not _is_watched(view, namespace),
            -len(view.in_namespace.get(namespace, ())),
            namespace,
        )

    return min(namespaces, key=goodness)


def _is_watched(view: View, namespace: str) -> bool:
    return any(
        view.jobs[job].is_connector
        for at in view.in_namespace.get(namespace, ())
        for job in (*view.readers(at), *view.writers(at))
    )


def one_system(
    view: View, kind: str, namespaces: Sequence[str], confidence: Confidence, how: str
) -> Finding:
    """The finding that one system goes by several namespaces."""
    chosen = best_namespace(view, namespaces)
    others = sorted(set(namespaces) - {chosen})
    shared = shared_between(view, [one for one in namespaces if one in view.in_namespace])
    pairs = [pair for one in shared.values() for pair in one.pairs]
    best = max((one.best for one in shared.values()), default=Seam.NONE)
    told = list(dict.fromkeys(at for pair in pairs for at in pair)) or [
        view.in_namespace[one][0] for one in namespaces if one in view.in_namespace
    ]
    sayers = [
        view.jobs[job]
        for other in others
        for at in view.in_namespace.get(other, ())
        for job in (*view.readers(at), *view.writers(at))
    ]
    return Finding(
        kind,
        Severity.ERROR if best >= Seam.LOOSE else Severity.WARN,
        confidence,
        f"{', '.join(others)} and {chosen} seem to be one system: {how}",
        SEVERAL_WHY,
        tuple(view.node(at) for at in told[:MOST_NODES]),
        join_namespaces(chosen, others, sayers),
        frozenset(at for pair in pairs for at in pair),
    )
