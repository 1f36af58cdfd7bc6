"""Names that will make trouble."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution

UNKNOWN_KAFKA = "kafka://unknown"
_TOPIC = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_DEBEZIUM_PREFIX = re.compile(r"[a-zA-Z0-9._-]+")
_REFUSED = "differ in . and _ alone: no broker creates one beside the other"


def naming_problems(
    connector: Connector,
    resolution: Resolution,
    others: Iterable[DatasetName],
    there: Iterable[DatasetName],
) -> Iterator[str]:
    """A line for each; ``others`` is what something else writes, ``there`` all that is there."""
    if not connector.name:
        yield "the connector has no name"
    datasets = dict.fromkeys((*resolution.inputs, *resolution.outputs))
    if any(each.namespace == UNKNOWN_KAFKA for each in datasets):
        yield (
            "nothing tells which Kafka cluster is meant, so its topics are compared with none; "
            "give --kafka HOST:PORT"
        )
    yield from _prefix_that_debezium_refuses(connector)
    for dataset in datasets:
        yield from _problems_of_one(dataset)
    yield from _collisions([each for each in datasets if is_topic(each)])
    yield from _collisions_beside(resolution.outputs, {each for each in there if is_topic(each)})
    yield from _alike_but_for_case(resolution.outputs, others)


def is_topic(dataset: DatasetName) -> bool:
    """Whether a dataset is a topic of some Kafka."""
    return dataset.namespace.startswith("kafka://")


def _prefix_that_debezium_refuses(connector: Connector) -> Iterator[str]:
    prefix = connector.config.get("topic.prefix", "")
    is_debezium = connector.config.get("connector.class", "").startswith("io.debezium.")
    if is_debezium and prefix and "${" not in prefix and not _DEBEZIUM_PREFIX.fullmatch(prefix):
        yield (
            f"topic.prefix {prefix!r}: Debezium refuses it; letters, digits, dots, hyphens and "
            "underscores are allowed"
        )


def _problems_of_one(dataset: DatasetName) -> Iterator[str]:
    if is_topic(dataset) and (not _TOPIC.fullmatch(dataset.name) or dataset.name in {".", ".."}):
        yield (
            f"{dataset.name!r} is no name of a topic: letters, digits, dots, hyphens and "
            "underscores are allowed, at most 249"
        )


def _collisions(topics: Iterable[DatasetName]) -> Iterator[str]:
    seen: dict[tuple[str, str], DatasetName] = {}
    for topic in topics:
        other = seen.setdefault(_in_metrics(topic), topic)
        if other != topic:
            yield f"the topics {other.name} and {topic.name} {_REFUSED}"


def _collisions_beside(
    outputs: Iterable[DatasetName], there: Collection[DatasetName]
) -> Iterator[str]:
    by_metric = {_in_metrics(topic): topic for topic in sorted(there)}
    for topic in outputs:
        other = by_metric.get(_in_metrics(topic))
        if other is not None and topic not in there:
            yield f"the topics {topic.name} and {other.name}, which is there, {_REFUSED}"


def _in_metrics(topic: DatasetName) -> tuple[str, str]:
    return topic.namespace, topic.name.replace(".", "_")


def _alike_but_for_case(
    outputs: Iterable[DatasetName], others: Iterable[DatasetName]
) -> Iterator[str]:
    spelled = {(other.namespace, other.name.lower()): other for other in others}
    for dataset in outputs:
        other = spelled.get((dataset.namespace, dataset.name.lower()))
        if other is not None and other != dataset:
            yield f"{dataset.name} differs in case alone from {other.name}, which is written too"
