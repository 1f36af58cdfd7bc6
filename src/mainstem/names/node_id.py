"""Node ids, the texts by which a backend's graph is asked; any name round-trips."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from urllib.parse import unquote

from msgspec import Struct

from mainstem.errors import BadNodeId


class NodeKind(StrEnum):
    """What a node of the graph is; the word that a node id begins with."""

    DATASET = "dataset"
    DATASET_FIELD = "datasetField"
    JOB = "job"
    RUN = "run"


_KINDS = {kind.value: kind for kind in NodeKind}
_PARTS = {NodeKind.DATASET: 2, NodeKind.DATASET_FIELD: 3, NodeKind.JOB: 2, NodeKind.RUN: 1}

# Marquez's own rule: the colons of "kafka://host:9092" do not separate.
_SEPARATOR = re.compile(r":(?!//|[0-9])")
_MUST_ESCAPE = re.compile(r"[%#]|:(?!//|[0-9])|^(?:[0-9]|/(?=/))")
_BEGINS_WITH_A_DIGIT = re.compile(r"(.+):([0-9][^:]*)", re.DOTALL)
_PLAIN = re.compile(r"(?![0-9]|//)[^%#:]*")


class NodeId(Struct, frozen=True, order=True):
    """One node: its kind, the parts of its name, and a version where one is meant.

    >>> str(NodeId(NodeKind.DATASET, ("kafka://b1:9092", "orders")))
    'dataset:kafka://b1:9092:orders'
    """

    kind: NodeKind
    parts: tuple[str, ...]
    """Namespace and name, for a field its path too; a run's id alone."""

    version: str | None = None

    def __str__(self) -> str:
        text = ":".join([self.kind.value, *map(_escape, self.parts)])
        return text if self.version is None else f"{text}#{_escape(self.version)}"


def node_text(kind: NodeKind, namespace: str, name: str) -> str:
    """The node id of a job or dataset, without a ``NodeId``.

    >>> node_text(NodeKind.JOB, "kafka-connect://prod", "orders-sink")
    'job:kafka-connect://prod:orders-sink'
    """
    return _beginning(kind, namespace) + _escape(name)


def before_field(namespace: str, name: str) -> str:
    """What the node ids of all fields of a dataset begin with; see ``field_text``."""
    return f"{_beginning(NodeKind.DATASET_FIELD, namespace)}{_escape(name)}:"


def field_text(before: str, field: str) -> str:
    """The node id of a field.

    >>> field_text(before_field("kafka://b1:9092", "orders"), "id")
    'datasetField:kafka://b1:9092:orders:id'
    """
    return before + _escape(field)


def parse_node_id(text: str) -> NodeId:
    """The node that a text names; the namespace may also be percent-encoded.

    >>> parse_node_id("job:kafka-connect://prod:orders-sink").parts
    ('kafka-connect://prod', 'orders-sink')
    """
    word, _, rest = text.partition(":")
    kind = _KINDS.get(word)
    body, mark, version = rest.partition("#")
    parts = _SEPARATOR.split(body)
    if kind in (NodeKind.DATASET, NodeKind.JOB) and len(parts) == 1:
        # A client that does not escape sends a name that begins with a digit as it is.
        found = _BEGINS_WITH_A_DIGIT.fullmatch(body)
        parts = parts if found is None else list(found.groups())
    if kind is None or len(parts) < _PARTS[kind] or (kind is NodeKind.RUN and len(parts) > 1):
        raise BadNodeId(text)
    # A client that does not escape sends the colons of a name as they are.
    last = 2 if kind is NodeKind.DATASET_FIELD else 1
    if kind is not NodeKind.RUN:
        split_at = len(parts) - (last - 1)
        parts = [parts[0], ":".join(parts[1:split_at]), *parts[split_at:]]
    return NodeId(kind, tuple(map(unquote, parts)), unquote(version) if mark else None)


@lru_cache(maxsize=1024)
def _beginning(kind: NodeKind, namespace: str) -> str:
    """Kept, because namespaces are few."""
    return f"{kind.value}:{_escape(namespace)}:"


def _escape(part: str) -> str:
    return part if _PLAIN.fullmatch(part) else _escaped(part)


@lru_cache(maxsize=1024)
def _escaped(part: str) -> str:
    """Kept, because what is not plain is most often a namespace, and those are few."""
    return _MUST_ESCAPE.sub(lambda found: f"%{ord(found.group()):02X}", part)
