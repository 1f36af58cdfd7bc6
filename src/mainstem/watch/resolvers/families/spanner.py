"""Confluent's Spanner sink, self-hosted and managed; Debezium's source is Debezium's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import cloud
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.jdbc.columns import CONFLUENTS_READS, confluents_columns
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

_MANAGED = "SpannerSink"
# A column's name must not begin with an underscore there: vdesabou/kafka-docker-playground,
# README of connect-gcp-spanner-sink, shows a table that the connector made.
_PLACE_NAMES = ("connect_topic__", "connect_partition__", "connect_offset__")


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    project = config.first("gcp.spanner.project.id")
    if project is None:
        raise CannotTell("the project stands in the credentials only")
    return cloud.spanner(
        project,
        config.required("gcp.spanner.instance.id"),
        config.required("gcp.spanner.database.id"),
        filled_template(config, "table.name.format", topic.name),
    )


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """As a JDBC sink, but the key is that of ``kafka`` where the config names none.

    The documented types are those of single values; what becomes of a collection is not.
    """
    # The default stands in the config definition of the self-hosted sink; the managed one has none.
    mode = "none" if record.config["connector.class"] == _MANAGED else "kafka"
    return confluents_columns(record, mode, _PLACE_NAMES)


RESOLVER = endpoint_family(
    "Spanner",
    ("io.confluent.connect.gcp.spanner.SpannerSinkConnector", _MANAGED),
    (
        "gcp.spanner.project.id",
        "gcp.spanner.instance.id",
        "gcp.spanner.database.id",
        "table.name.format",
        *CONFLUENTS_READS,
    ),
    Endpoint(written_to=_table),
    columns=ColumnRules(written=_columns),
)
