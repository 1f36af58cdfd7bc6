"""A server that calls itself ``localhost`` here and by its name there."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.joining import likeness_of
from mainstem.doctor.likeness import Schemas
from mainstem.doctor.namespaces import (
    are_other_clusters,
    cluster_ids,
    one_system,
    servers,
    shared_between,
)
from mainstem.doctor.seams import Seam

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.namespaces import Shared
    from mainstem.doctor.servers import Address
    from mainstem.doctor.view import View

KIND = "server-loopback"
_ENOUGH = 2


def find(view: View) -> Iterator[Finding]:
    """Two addresses of one system, one of them "this machine", with datasets cut between them."""
    read = _spelt_once(servers(view))
    ids = cluster_ids(view)
    candidates: defaultdict[str, list[tuple[Confidence, str]]] = defaultdict(list)
    for (one, other), shared in shared_between(view, read).items():
        first, second = read[one], read[other]
        if first.system != second.system or are_other_clusters(ids, one, other):
            continue
        if not (first.first.is_loopback or second.first.is_loopback):
            continue
        confidence = _confidence(view, first, second, shared)
        if confidence is not None:
            if first.first.is_loopback and second.first.is_loopback:
                yield _one_machine(view, [one, other], confidence)
            else:
                local, named = (one, other) if first.first.is_loopback else (other, one)
                candidates[local].append((confidence, named))
    for local, found in sorted(candidates.items()):
        for confidence, named in found:
            is_plain = len(found) == 1
            sure = confidence if is_plain else Confidence.POSSIBLE
            yield _one_machine(view, [local, named], sure)


def _spelt_once(read: dict[str, Address]) -> dict[str, Address]:
    """Namespaces that name a host, without those that only add a listener's protocol to another."""
    plain = {at.servers for at in read.values() if not at.is_prefixed}
    return {
        one: at
        for one, at in read.items()
        if at.first.host is not None and not (at.is_prefixed and at.servers in plain)
    }


def _one_machine(view: View, namespaces: list[str], confidence: Confidence) -> Finding:
    how = "one of them says this machine, and they share datasets that are cut in two"
    return one_system(view, KIND, namespaces, confidence, how)


def _confidence(view: View, one: Address, other: Address, shared: Shared) -> Confidence | None:
    is_one_port = one.first.port == other.first.port
    if is_one_port and one.first.is_loopback and other.first.is_loopback:
        return Confidence.LIKELY
    if shared.best is Seam.NONE:
        return None
    if shared.best is Seam.LOOSE:
        return Confidence.POSSIBLE if is_one_port else None
    alike = any(
        how >= Seam.CUT and likeness_of(view, *pair) is Schemas.EQUAL
        for pair, how in zip(shared.pairs, shared.seams, strict=True)
    )
    if is_one_port or alike or shared.count(Seam.CUT) >= _ENOUGH:
        return Confidence.LIKELY
    return Confidence.POSSIBLE
