"""Bigtable sinks of Confluent and of Google, self-hosted and managed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names import cloud
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    return cloud.bigtable(
        config.required("gcp.bigtable.project.id"),
        config.required("gcp.bigtable.instance.id"),
        filled_template(config, "table.name.format", topic.name),
    )


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
    ),
    Endpoint(written_to=_table),
)
