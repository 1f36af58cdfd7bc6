"""DataStax's sink for Cassandra and DSE: keys name the tables, values map the columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.contact_points import with_port
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "DataStax"
_PART = r'(?:[^."]+|"[^"]+")'
_MAPPING = re.compile(rf"topic\.(.+)\.({_PART})\.({_PART})\.mapping")
_ENTRY = re.compile(r'\s*("[^"]+"|\w+)\s*=\s*("[^"]+"|\w+\([^)]*\)|[\w.]+)\s*(?:,|$)')
# datastax/kafka-sink: Mapping.g4, and what dist/conf says of these two
_NO_COLUMNS = frozenset({"__ttl", "__timestamp"})
"""How long a row lives and when it was written."""
_ROOTS = {"key": "$key", "value": "$value", "header": "$headers"}


class _Mapping(Struct, frozen=True):
    """One table that a topic is written to."""

    topic: str
    keyspace: str
    table: str
    key: str


def resolve(connector: Connector) -> Resolution:
    """Each topic to every table that a mapping names for it, with the columns mapped."""
    config = settings_of(connector)
    mappings = [_mapping(found) for key in config if (found := _MAPPING.fullmatch(key))]

    def tables(topic: SinkTopic) -> list[DatasetName]:
        named = [_table(config, one) for one in mappings if one.topic == topic.name]
        if not named:
            raise CannotTell("no mapping names the topic")
        return named

    told = resolve_sink(connector, NAME, tables)
    if chain_of(config).steps:
        # The mapping speaks of the record after the transforms.
        return told
    return replace(told, columns=_columns(connector, config, mappings, told))


def _mapping(found: re.Match[str]) -> _Mapping:
    return _Mapping(found[1], found[2].strip('"'), found[3].strip('"'), found[0])


def _table(config: Settings, mapping: _Mapping) -> DatasetName:
    if config.first("cloud.secureConnectBundle"):
        raise CannotTell("the servers stand in the secure connect bundle")
    servers = with_port(config.required("contactPoints"), config.port("port"))
    return on_server("cassandra", servers, mapping.keyspace, mapping.table)


def _columns(
    connector: Connector, config: Settings, mappings: list[_Mapping], told: Resolution
) -> tuple[ColumnEdge, ...]:
    columns: list[ColumnEdge] = []
    for mapping in mappings:
        topic = kafka.topic(connector.kafka_namespace, mapping.topic)
        outputs = [
            edge.output
            for edge in told.edges
            if edge.input == topic and edge.output.name == f"{mapping.keyspace}.{mapping.table}"
        ]
        for column, field in _entries(config.get(mapping.key, "")):
            sources = () if field is None else (ColumnSource(topic, field),)
            columns.extend(ColumnEdge(output, column, sources) for output in outputs)
    return tuple(columns)


def _entries(text: str) -> list[tuple[str, str | None]]:
    """The columns that a mapping fills, but for those whose function takes arguments."""
    found = [(one[1].strip('"'), one[2]) for one in _ENTRY.finditer(text)]
    return [
        (column, _field(field))
        for column, field in found
        if column not in _NO_COLUMNS and ("(" not in field or field.endswith("()"))
    ]


def _field(text: str) -> str | None:
    """A field as all columns of topics are spelt; None for a function such as ``now()``."""
    if "(" in text:
        return None
    root, _, path = text.strip('"').partition(".")
    if not path or root == "header":
        return _ROOTS.get(root)
    return path if root == "value" else f"$key.{path}"


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.datastax.oss.kafka.sink.CassandraSinkConnector",
        "com.datastax.kafkaconnector.DseSinkConnector",
        "com.datastax.oss.kafka.sink.DseSinkConnector",
    ),
    reads=Reads(
        names=("contactPoints", "port", "cloud.secureConnectBundle"),
        patterns=(r"topic\..+\.mapping",),
    ),
    resolve=resolve,
)
