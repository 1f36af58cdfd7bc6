"""SAP's own HANA source and sink: a table for each topic, named in the topic's key."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.jdbc import jdbc_dataset
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, value_fields
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source
from mainstem.watch.transforms.record import Nesting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "SAP HANA"
_QUERY_MODE = "queryMode"


def resolve(connector: Connector) -> Resolution:
    """Each topic from or to the table that its own key names."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda topic: _table(config, topic.name))
    feeds = [feed_of(topic, partial(_table, config, topic)) for topic in config.names("topics")]
    return resolve_source(connector, NAME, Source(feeds=tuple(feeds)))


def _table(config: Settings, topic: str) -> DatasetName:
    name = config.required(f"{topic}.table.name").replace("${topic}", topic)
    return jdbc_dataset(config.required("connection.url"), name.replace('"', ""))


# SAP/kafka-connect-sap: HANASinkRecordsCollector.scala, AbstractHANAPartitionLoader.scala,
# GenericSchemaBuilder.scala; of sources BulkTableQuerier.scala.
def _written(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the key, then those of the value; of one name the key's comes first."""
    if record.config.first(f"{record.topic}.table.type") == "collection":
        raise CannotTell("a collection of documents takes the key or the value, whichever is there")
    key = record.key.fields if record.key is not None and record.key.is_record else ()
    found = {field.name: field for field in key}
    for field in record.value.fields:
        known = found.setdefault(field.name, field)
        if known is not field and known.optional:
            # Where the key's is null, the value's is written.
            found[field.name] = known.also_from(field.origins)
    # It refuses records and collections.
    return [field for field in found.values() if field.holds_one_value]


def _read(record: ConnectRecord) -> Iterable[Node]:
    if record.config.first(_QUERY_MODE) == "query":
        raise CannotTell("a query makes the rows, and its SQL is not read")
    return value_fields(record)


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.sap.kafka.connect.sink.hana.HANASinkConnector",
        "com.sap.kafka.connect.source.hana.HANASourceConnector",
    ),
    reads=Reads(names=("connection.url", _QUERY_MODE), patterns=(r".+\.table\.(?:name|type)",)),
    resolve=resolve,
    columns=ColumnRules(written=_written, read=_read, nesting=lambda _config: Nesting()),
)
