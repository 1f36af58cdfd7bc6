"""Splunk's sink: an index per topic by position, or one index for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _index(config: Settings, topic: SinkTopic) -> DatasetName:
    indexes, topics = config.names("splunk.indexes"), config.names("topics")
    if len(indexes) == 1:
        index = indexes[0]
    elif len(indexes) == len(topics) and topic.topic in topics:
        index = indexes[topics.index(topic.topic)]
    elif indexes:
        raise CannotTell("splunk.indexes does not name one index for each topic")
    else:
        raise CannotTell("without splunk.indexes, the collector's token chooses the index")
    return on_server("splunk", config.required("splunk.hec.uri"), index)


RESOLVER = endpoint_family(
    "Splunk",
    classes=("com.splunk.kafka.connect.SplunkSinkConnector", "SplunkSink"),
    reads=("splunk.hec.uri", "splunk.indexes"),
    endpoint=Endpoint(written_to=_index),
)
