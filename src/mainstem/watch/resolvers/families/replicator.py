"""Confluent Replicator, and the mirror connector that borrowed its keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names import kafka
from mainstem.watch.resolvers.column_rules import MIRRORED
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.mirroring import in_cluster, seen_also_as
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Source, Stranger, feed_of, resolve_source
from mainstem.watch.transforms.java_regex import matches

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution

NAME = "Replicator"
_SOURCE = "src.kafka.bootstrap.servers"
_TARGET = "dest.kafka.bootstrap.servers"
_FORMAT = "topic.rename.format"
_PLACE = "${topic}"
_OPEN = "topics: which topics match topic.regex is known only from the topics seen"


def resolve(connector: Connector) -> Resolution:
    """Each topic listed or matched to its copy, renamed as the format says."""
    config = settings_of(connector)
    here = in_cluster(connector, config, _TARGET)
    template = config.text(_FORMAT, _PLACE)
    banned = config.names("topic.blacklist")
    listed = [name for name in config.names("topic.whitelist") if name not in banned]
    pattern = config.first("topic.regex")

    def original(name: str) -> DatasetName:
        return kafka.topic(kafka.cluster_namespace(config.required(_SOURCE)), name)

    def input_of(topic: str) -> DatasetName | Stranger:
        name = _original_name(template, topic)
        if name is None:
            return Stranger.FOREIGN
        wanted = name not in banned and pattern is not None and matches(pattern, name)
        return original(name) if wanted else Stranger.EXCLUDED

    source = Source(
        feeds=tuple(
            feed_of(template.replace(_PLACE, name), partial(original, name)) for name in listed
        ),
        input_of=input_of,
        unresolved=(_OPEN,) if pattern else (),
    )
    return seen_also_as(connector.kafka_namespace, resolve_source(here, NAME, source))


def _original_name(template: str, topic: str) -> str | None:
    before, mark, after = template.partition(_PLACE)
    fits = topic.startswith(before) and topic.endswith(after)
    if not mark or not fits or len(topic) <= len(before) + len(after):
        return None
    return topic[len(before) : len(topic) - len(after)]


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.replicator.ReplicatorSourceConnector",
        "com.garmes.kafka.connect.mirror.MirrorSourceConnector",
    ),
    reads=Reads(
        names=(
            _SOURCE,
            _TARGET,
            _FORMAT,
            "topic.whitelist",
            "topic.blacklist",
            "topic.regex",
        )
    ),
    resolve=resolve,
    columns=MIRRORED,
)
