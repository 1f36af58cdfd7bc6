"""GetInData's Iceberg sink: a table for each topic, its name made of the topic's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.iceberg_tables import CATALOG_KEYS, table_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.transforms import extract_new_record_state
from mainstem.watch.transforms.model import Options
from mainstem.watch.transforms.record import Node, Side
from mainstem.watch.transforms.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution, Symlink

NAME = "GetInData Iceberg"
_CATALOG = "iceberg."
_SNAKE_CASE = "table.snake-case"
_TIME = (f"{_CATALOG}partition.timestamp", "__source_ts_ms")
_PARTITION = (f"{_CATALOG}partition.column", "__source_ts")
_UNWRAP = Options(
    Settings({"add.fields": "op,table,source.ts_ms,db", "delete.handling.mode": "rewrite"}),
    Side.VALUE,
)
"""What the sink does to change events before anything else; other values pass through.

getindata/kafka-connect-iceberg-sink: ExtractNewRecordStateTransformationFactory.java, and of the
partition IcebergChangeEvent.java.
"""


def resolve(connector: Connector) -> Resolution:
    """Each topic to the table of its name, behind the prefix and in the namespace of the config."""
    config = settings_of(connector)
    found: dict[DatasetName, tuple[Symlink, ...]] = {}

    def target(topic: SinkTopic) -> DatasetName:
        table = table_of(config, _name(config, topic.name), catalog_keys=_CATALOG)
        found[table.dataset] = table.symlinks
        return table.dataset

    told = resolve_sink(connector, NAME, target)
    return replace(told, symlinks=found)


def _name(config: Settings, topic: str) -> str:
    if config.flag(_SNAKE_CASE, default=False) and not topic.islower():
        raise CannotTell(f"{_SNAKE_CASE} spells the topic's name in another way")
    table = topic.replace(".", "_").replace("-", "_")
    return f"{config.text('table.namespace', 'default')}.{config.text('table.prefix', '')}{table}"


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The row, and the column of the partition, made of the field that holds the time."""
    unwrapped = extract_new_record_state.TRANSFORM.forward(_UNWRAP, record.record)
    row = replace(record, record=unwrapped).value
    time = row.child(record.config.get(*_TIME))
    if time is None:
        return row.fields
    partition = time.marked("TRANSFORMATION").named(record.config.get(*_PARTITION))
    return (*(field for field in row.fields if field.name != partition.name), partition)


RESOLVER = Family(
    name=NAME,
    classes=("com.getindata.kafka.connect.iceberg.sink.IcebergSink",),
    reads=Reads(
        names=(
            *(f"{_CATALOG}{key}" for key in CATALOG_KEYS),
            "table.namespace",
            "table.prefix",
            _SNAKE_CASE,
            _TIME[0],
            _PARTITION[0],
        )
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
