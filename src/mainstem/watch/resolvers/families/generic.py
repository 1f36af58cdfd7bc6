"""The fallback for every class that no family answers for: topics, and nothing that is a guess."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, resolve_source
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution

NAME = "generic"
_NO_TOPIC = "the config has no topic or kafka.topic"
_UNKNOWN = "the connector's class is not one that Mainstem knows; declare it in the recipe"


def resolve(connector: Connector) -> Resolution:
    """The topics by the keys that most connectors use; the other side only as the user says."""
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, partial(_declared_target, connector))
    config = settings_of(connector)
    topics = config.names("topic") or config.names("kafka.topic")
    if inputs := connector.declared.sources:
        named = topics or (Unpredictable(_NO_TOPIC),)
        return resolve_source(connector, NAME, Source(tuple(Feed(each, inputs) for each in named)))
    unresolved = () if topics else (f"topics: {_NO_TOPIC}",)
    source = Source(feeds=tuple(map(Feed, topics)), unresolved=unresolved)
    told = resolve_source(connector, NAME, source)
    return replace(told, unresolved=(f"inputs: {_why_unknown(connector)}", *told.unresolved))


def _declared_target(connector: Connector, _topic: SinkTopic) -> tuple[DatasetName, ...]:
    if connector.declared.targets:
        return connector.declared.targets
    raise CannotTell(_why_unknown(connector))


def _why_unknown(connector: Connector) -> str:
    if not connector.config.get("connector.class"):
        return "the config has no connector.class"
    return _UNKNOWN


RESOLVER = Family(
    name=NAME,
    classes=(),
    reads=Reads(names=("topic", "kafka.topic")),
    resolve=resolve,
)
