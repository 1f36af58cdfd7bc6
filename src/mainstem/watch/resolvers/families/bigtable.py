"""Bigtable sinks of Confluent and of Google, self-hosted and managed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.names import cloud
from mainstem.watch.resolvers.column_families import BARE_VALUE, cells
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template
from mainstem.watch.transforms.record import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

_DEFAULT_FAMILY = "default.column.family"
_BARE_VALUE = "default.column.qualifier"
_SPREADS_ARRAYS = "expand.root.level.arrays"
_ARRAYS = ("array", "repeated")
_TOPIC = "${topic}"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    return cloud.bigtable(
        config.required("gcp.bigtable.project.id"),
        config.required("gcp.bigtable.instance.id"),
        filled_template(config, "table.name.format", topic.name),
    )


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """Columns in their families; the keys that say more are those of Google's connector alone."""
    config = record.config
    if config.flag(_SPREADS_ARRAYS, default=False):
        # Each element has a column of its own then, named by its place.
        record = replace(record, record=record.record.change(Side.VALUE, _without_arrays))
    family = config.get(_DEFAULT_FAMILY, _TOPIC).replace(_TOPIC, record.topic)
    return cells(record, family or None, config.get(_BARE_VALUE, BARE_VALUE))


def _without_arrays(value: Node) -> Node:
    if not value.is_record:
        return value
    return value.each_field(lambda field: None if field.type.startswith(_ARRAYS) else field)


RESOLVER = endpoint_family(
    "Bigtable",
    (
        "io.confluent.connect.gcp.bigtable.BigtableSinkConnector",
        "com.google.cloud.kafka.connect.bigtable.BigtableSinkConnector",
        "BigTableSink",
        "BigtableSink",
    ),
    (
        "gcp.bigtable.project.id",
        "gcp.bigtable.instance.id",
        "table.name.format",
        _DEFAULT_FAMILY,
        _BARE_VALUE,
        _SPREADS_ARRAYS,
    ),
    Endpoint(written_to=_table),
    columns=ColumnRules(written=_columns),
)
