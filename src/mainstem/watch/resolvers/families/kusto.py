"""Azure Data Explorer (Kusto), and the real-time analytics of Microsoft Fabric."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from mainstem.errors import CannotTell
from mainstem.names.cloud import kusto
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_MAPPING = "kusto.tables.topics.mapping"
_ANY_OTHER = "*"


# Azure/kafka-sink-azure-kusto, KustoSinkTask.java: of a topic named twice the last entry counts.
def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    """The table that the mapping names for the topic as the sink sees it."""
    cluster = config.required("kusto.query.url", "kusto.ingestion.url")
    entries = {entry.get("topic"): entry for entry in _mapping(config)}
    entry = entries.get(topic.name) or entries.get(_ANY_OTHER)
    if entry is None:
        raise CannotTell(f"{_MAPPING} does not name the topic")
    found = (entry.get("db"), entry.get("table"))
    if not all(isinstance(part, str) and part for part in found):
        raise CannotTell(f"{_MAPPING} names no database or table for the topic")
    return kusto(cluster, *map(str, found))


def _mapping(config: Settings) -> list[dict[str, Any]]:
    # Its own documentation writes it with single quotes, which the sink's parser takes too.
    text = config.required(_MAPPING)
    try:
        found: object = json.loads(text if '"' in text else text.replace("'", '"'))
    except ValueError as mistake:
        raise CannotTell(f"{_MAPPING} is not JSON") from mistake
    if not isinstance(found, list):
        raise CannotTell(f"{_MAPPING} is no array")
    entries = cast("list[Any]", found)
    return [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]


RESOLVER = endpoint_family(
    "Azure Data Explorer",
    classes=(
        "com.microsoft.azure.kusto.kafka.connect.sink.KustoSinkConnector",
        "KustoSink",
    ),
    reads=("kusto.query.url", "kusto.ingestion.url", _MAPPING),
    endpoint=Endpoint(written_to=_table),
)
