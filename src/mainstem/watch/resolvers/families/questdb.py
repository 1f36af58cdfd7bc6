"""QuestDB's own sink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, flattened
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings


_CLIENT = "client.conf.string"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    table = filled_template(config, "table", topic.name)
    if host := config.first("host"):
        return on_server("questdb", host, table)
    # Only the address of client.conf.string gets here: the rest may be a password.
    address = config.required("host", _CLIENT).rpartition("addr=")[2].partition(";")[0]
    return on_server("questdb", address, table)


# questdb/kafka-questdb-connector: QuestDBSinkTask.java; of arrays it takes those of numbers alone.
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of key and value that hold one value, records in them flattened."""
    config = record.config
    halves = [(record.value, config.get("value.prefix", ""))]
    if config.flag("include.key", default=True) and record.key is not None:
        halves.insert(0, (record.key, config.get("key.prefix", "key")))
    # these become the time of the row, whose column the table names
    times = config.names("timestamp.field.name")
    parsed = config.names("timestamp.string.fields")
    for half, prefix in halves:
        for column in flattened(half, prefix, "_"):
            if column.name not in times and column.holds_one_value:
                told = column.marked("TRANSFORMATION") if column.name in parsed else column
                yield told.named(column.name.replace(".", "_") or "key")


RESOLVER = endpoint_family(
    "QuestDB",
    ("io.questdb.kafka.QuestDBSinkConnector",),
    (
        *("host", _CLIENT, "table", "include.key", "key.prefix", "value.prefix"),
        *("timestamp.field.name", "timestamp.string.fields"),
    ),
    Endpoint(written_to=_table),
    columns=ColumnRules(written=_columns),
)
