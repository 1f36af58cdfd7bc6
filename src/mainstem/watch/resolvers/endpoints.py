"""Connectors with one place on the other side: every topic goes there, or comes from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.column_rules import NOT_TOLD, ColumnRules
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, resolve_source
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mainstem.watch.resolvers.model import Connector, ControlTopic, Resolution
    from mainstem.watch.transforms.settings import Settings

    Datasets = DatasetName | Iterable[DatasetName]


class Endpoint(Struct, frozen=True):
    """What a family says of its connectors' other side."""

    read_from: Callable[[Settings], Datasets] | None = None
    """What a source reads; None where the connector makes its data up."""

    written_to: Callable[[Settings, SinkTopic], Datasets] | None = None
    """What a sink writes a topic's records to."""

    topic_keys: tuple[str, ...] = ("kafka.topic",)
    """Where a source's topic stands."""

    default_topic: str | None = None
    control: tuple[tuple[str, str], ...] = ()
    """Keys that name a topic of the connector's own, each with its kind."""


def endpoint_family(
    name: str,
    classes: tuple[str, ...],
    reads: tuple[str, ...],
    endpoint: Endpoint,
    *,
    patterns: tuple[str, ...] = (),
    columns: ColumnRules = NOT_TOLD,
) -> Family:
    """A family whose connectors have one place on the other side.

    ``patterns`` are for keys that carry a name inside, as in :class:`Reads`.
    """

    def resolve(connector: Connector) -> Resolution:
        config = settings_of(connector)
        control = tuple(_control(connector, config, endpoint.control))
        if connector.direction is Direction.SINK:
            return resolve_sink(connector, name, _target(config, endpoint), control=control)
        source = Source(feeds=source_feeds(config, endpoint), control=control)
        return resolve_source(connector, name, source)

    keys = (*reads, *endpoint.topic_keys, *(key for key, _ in endpoint.control))
    reads_all = Reads(tuple(dict.fromkeys(keys)), patterns)
    return Family(name, classes, reads_all, resolve, columns)


def source_feeds(config: Settings, endpoint: Endpoint) -> tuple[Feed, ...]:
    """One feed per topic that the config names, each from all that the connector reads."""
    inputs: tuple[DatasetName, ...] = ()
    missing = None
    try:
        if endpoint.read_from is not None:
            inputs = _many(endpoint.read_from(config))
        elif endpoint.written_to is not None:
            missing = "connectors of this family only write"
    except CannotTell as unknown:
        missing = unknown.reason
    return tuple(Feed(topic, inputs, missing) for topic in _topics(config, endpoint))


def _topics(config: Settings, endpoint: Endpoint) -> tuple[str | Unpredictable, ...]:
    try:
        names = config.names(*endpoint.topic_keys)
    except CannotTell as unknown:
        return (Unpredictable(unknown.reason),)
    if not names and endpoint.default_topic is None:
        return (Unpredictable(f"the config has no {' or '.join(endpoint.topic_keys)}"),)
    return tuple(map(plain_topic, names or (endpoint.default_topic or "",)))


def plain_topic(name: str) -> str | Unpredictable:
    """A topic's name, unless it is a template that each record fills in."""
    if "${" in name or "{{" in name:
        return Unpredictable("the topic's name is a template that each record fills in")
    return name


def topic_of(config: Settings, *keys: str) -> str | Unpredictable:
    """The topic that the first of the keys names; unpredictable where none of them tells."""
    try:
        return plain_topic(config.required(*keys))
    except CannotTell as unknown:
        return Unpredictable(unknown.reason)


def _target(config: Settings, endpoint: Endpoint) -> Callable[[SinkTopic], Datasets]:
    def target(topic: SinkTopic) -> Datasets:
        if endpoint.written_to is None:
            raise CannotTell("connectors of this family only read")
        return endpoint.written_to(config, topic)

    return target


def _control(
    connector: Connector, config: Settings, keys: tuple[tuple[str, str], ...]
) -> Iterable[ControlTopic]:
    for key, kind in keys:
        try:
            name = config.first(key)
        except CannotTell:
            continue
        if name:
            yield control_topic(connector, name.replace("${connector}", connector.name), kind)


def _many(datasets: Datasets) -> tuple[DatasetName, ...]:
    return (datasets,) if isinstance(datasets, DatasetName) else tuple(datasets)
