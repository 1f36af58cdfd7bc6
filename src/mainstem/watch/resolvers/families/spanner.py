"""Confluent's Spanner sink, self-hosted and managed; Debezium's source is Debezium's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import cloud
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.jdbc.columns import CONFLUENTS, CONFLUENTS_READS
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


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


RESOLVER = endpoint_family(
    "Spanner",
    ("io.confluent.connect.gcp.spanner.SpannerSinkConnector", "SpannerSink"),
    (
        "gcp.spanner.project.id",
        "gcp.spanner.instance.id",
        "gcp.spanner.database.id",
        "table.name.format",
        *CONFLUENTS_READS,
    ),
    Endpoint(written_to=_table),
    columns=CONFLUENTS,
)
