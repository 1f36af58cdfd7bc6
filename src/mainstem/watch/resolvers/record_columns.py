"""Columns that a config states exactly, carried through the transforms of the connector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource
from mainstem.watch.resolvers.sql_sources import stronger
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record
from mainstem.watch.transforms.record import columns as fields_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.chain import Chain


def read_columns(
    chain: Chain,
    before: str,
    output: DatasetName,
    columns: Mapping[str, tuple[ColumnSource, ...]],
    decided_by: tuple[ColumnSource, ...] = (),
) -> tuple[ColumnEdge, ...]:
    """A source's columns: what each field of its topic is made from, behind the chain.

    ``before`` is the topic's name before the chain, ``columns`` the fields of its records there,
    ``decided_by`` what decides which records there are.
    """
    found: list[ColumnEdge] = []
    for path, node in fields_of(chain.forward(before, _record(columns))):
        origins = [origin for origin in node.origins if origin.path in columns]
        sources = dict.fromkeys(
            _along(one, origin) for origin in origins for one in columns[origin.path]
        )
        if len(origins) == len(node.origins):
            found.append(ColumnEdge(output, path, (*sources, *decided_by)))
    return tuple(found)


def written_columns(
    chain: Chain, topic: str, dataset: DatasetName, output: DatasetName, fields: Iterable[str]
) -> tuple[ColumnEdge, ...]:
    """A sink's columns of the names given, each from the field of the topic that becomes it."""
    return tuple(
        ColumnEdge(
            output,
            origin.path,
            (ColumnSource(dataset, path, origin.transformation, masking=origin.masking),),
        )
        for path, node in fields_of(chain.backward(topic, _record(fields)))
        for origin in node.origins
    )


def _record(names: Iterable[str]) -> Record:
    fields = tuple(Node(name, "unknown", (Origin(name),)) for name in names)
    unknown = NoSchema("only the columns that the config states are known")
    return Record(Node("", STRUCT, (), fields) if fields else unknown, unknown)


def _along(source: ColumnSource, origin: Origin) -> ColumnSource:
    if not source.direct:
        return source
    if not origin.direct:
        return replace(source, transformation=origin.transformation, direct=False)
    kind = stronger(source.transformation, origin.transformation)
    masking = source.masking or origin.masking
    return ColumnSource(source.dataset, source.field, kind, masking=masking)
