"""What the doctor says: findings as data, and their one JSON shape."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from mainstem.names.node_id import NodeKind, node_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.doctor.picture import Link


class Severity(StrEnum):
    """How bad it is, the worst first."""

    ERROR = "error"
    """The graph is cut or tells what is not so."""

    WARN = "warn"
    """Something of the graph is missing, or will be."""

    INFO = "info"
    """Worth knowing; may well be as it should."""


class Confidence(StrEnum):
    """How sure the finding is, the surest first."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"
    """A person has to look: no fix is made of it."""


class Node(Struct, frozen=True, order=True):
    """A job or a dataset that a finding speaks of."""

    kind: NodeKind
    namespace: str
    name: str

    @property
    def id(self) -> str:
        """Its node id."""
        return node_text(self.kind, self.namespace, self.name)


class Where(StrEnum):
    """Whose file or setting a remedy is a line of."""

    RECIPE = "recipe"
    BACKEND = "backend"
    SPARK = "spark"
    CONNECTOR = "connector"
    DEBEZIUM = "debezium"


class Remedy(Struct, frozen=True):
    """What to add, and where."""

    where: Where
    text: str
    """The exact lines."""

    links: tuple[Link, ...] = ()
    """What a fix writes; empty where none can."""


class Finding(Struct, frozen=True):
    """One thing that is wrong."""

    kind: str
    severity: Severity
    confidence: Confidence
    title: str
    why: str
    nodes: tuple[Node, ...]
    remedies: tuple[Remedy, ...] = ()
    covers: frozenset[int] = frozenset()
    """The datasets that it explains, more than it shows: nothing lesser is said of them."""

    def with_remedy(self, remedy: Remedy) -> Finding:
        """The same with one more way to heal it."""
        return replace(self, remedies=(*self.remedies, remedy))

    @property
    def id(self) -> str:
        """A short name that stays for as long as the same is wrong with the same nodes."""
        text = "\0".join([self.kind, *sorted(node.id for node in self.nodes)])
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


_SEVERITIES, _CONFIDENCES = tuple(Severity), tuple(Confidence)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in the order in which people should read them."""
    return sorted(
        findings,
        key=lambda one: (
            _SEVERITIES.index(one.severity),
            _CONFIDENCES.index(one.confidence),
            one.kind,
            one.title,
        ),
    )


def plain(finding: Finding) -> dict[str, Any]:
    """A finding as plain values, in the shape that the backend's API states."""
    return {
        "id": finding.id,
        "kind": finding.kind,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "title": finding.title,
        "why": finding.why,
        "nodes": [
            {
                "nodeId": node.id,
                "type": node.kind.value,
                "namespace": node.namespace,
                "name": node.name,
            }
            for node in finding.nodes
        ],
        "remedies": [
            {
                "where": remedy.where.value,
                "text": remedy.text,
                "aliases": [plain_link(one) for one in remedy.links],
            }
            for remedy in finding.remedies
        ],
    }


def plain_link(link: Link) -> dict[str, str | None]:
    """An alias as ``PUT /api/v2/aliases`` takes it."""
    return {
        "namespace": link.namespace,
        "name": link.name,
        "otherNamespace": link.other_namespace,
        "otherName": link.other_name,
    }


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many there are of each severity."""
    said = [one.severity for one in findings]
    return {severity.value: said.count(severity) for severity in Severity}
