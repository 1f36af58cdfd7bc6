"""Amazon Redshift sinks of Confluent, self-hosted and managed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names import cloud
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.jdbc.columns import CONFLUENTS, CONFLUENTS_READS
from mainstem.watch.resolvers.table_templates import filled_template, qualified_table

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    server = f"{config.required('aws.redshift.domain')}:{config.text('aws.redshift.port', '5439')}"
    database = config.required("aws.redshift.database")
    name = filled_template(config, "table.name.format", topic.name)
    return cloud.redshift(server, *qualified_table(name, database, "public"))


RESOLVER = endpoint_family(
    "Redshift",
    ("io.confluent.connect.aws.redshift.RedshiftSinkConnector", "RedshiftSink"),
    (
        "aws.redshift.domain",
        "aws.redshift.port",
        "aws.redshift.database",
        "table.name.format",
        *CONFLUENTS_READS,
    ),
    Endpoint(written_to=_table),
    # vdesabou/kafka-docker-playground shows one at work: connect-aws-redshift-sink.
    columns=CONFLUENTS,
)
