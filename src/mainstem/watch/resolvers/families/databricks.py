"""Confluent's sink for Delta tables of Databricks, self-hosted and managed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import qualified_table
from mainstem.watch.resolvers.topic_maps import by_name, pairs

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_MAP = "delta.lake.topic2table.map"
_CATALOG = ("delta.lake.catalog", "delta.lake.catalog.name")
_DATABASE = ("delta.lake.database", "delta.lake.schema")


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    name = by_name(pairs(config, _MAP), topic.name) or _unmapped(topic.name)
    catalog = config.first(*_CATALOG)
    database = config.first(*_DATABASE) or "default"
    return on_server(
        "databricks",
        config.required("delta.lake.host.name"),
        *(qualified_table(name, catalog, database) if catalog else qualified_table(name, database)),
    )


def _unmapped(topic: str) -> str:
    if not re.fullmatch(r"\w+", topic):
        raise CannotTell("the topic's name is none that a table may have, and no map names it")
    return topic


RESOLVER = endpoint_family(
    "Databricks",
    (
        "io.confluent.connect.databricks.deltalake.DatabricksDeltaLakeSinkConnector",
        "DatabricksDeltaLakeSink",
    ),
    (
        "delta.lake.host.name",
        _MAP,
        *_CATALOG,
        *_DATABASE,
    ),
    Endpoint(written_to=_table),
    # Its config definition: a table is created by the schema of the records.
    columns=SAME_NAMES,
)
