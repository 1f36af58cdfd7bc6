"""Names that will make trouble."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Resolution

_TOPIC = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_UNKNOWN_KAFKA = "kafka://unknown"


def naming_problems(
    connector: str, resolution: Resolution, others: Mapping[DatasetName, object]
) -> Iterator[str]:
    """A line for each; ``others`` are datasets that something else writes."""
    if not connector:
        yield "the connector has no name"
    datasets = dict.fromkeys((*resolution.inputs, *resolution.outputs))
    if any(each.namespace == _UNKNOWN_KAFKA for each in datasets):
        yield "nothing tells which Kafka cluster is meant; give --kafka HOST:PORT"
    for dataset in datasets:
        yield from _problems_of_one(dataset)
    topics = [each.name for each in datasets if each.namespace.startswith("kafka://")]
    yield from _alike_in_metrics(topics)
    yield from _alike_but_for_case(resolution.outputs, others)


def _problems_of_one(dataset: DatasetName) -> Iterator[str]:
    if "${" in dataset.name:
        yield f"{dataset.name} holds a placeholder that was not filled in"
    elif dataset.namespace.startswith("kafka://") and (
        not _TOPIC.fullmatch(dataset.name) or dataset.name in {".", ".."}
    ):
        yield (
            f"{dataset.name!r} is no name of a topic: letters, digits, dots, hyphens and "
            "underscores are allowed, at most 249"
        )


def _alike_in_metrics(topics: Iterable[str]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for topic in topics:
        other = seen.setdefault(topic.replace(".", "_"), topic)
        if other != topic:
            yield f"the topics {other} and {topic} are one in Kafka's metrics"


def _alike_but_for_case(
    outputs: Iterable[DatasetName], others: Mapping[DatasetName, object]
) -> Iterator[str]:
    spelled = {(other.namespace, other.name.lower()): other for other in others}
    for dataset in outputs:
        other = spelled.get((dataset.namespace, dataset.name.lower()))
        if other is not None and other != dataset:
            yield f"{dataset.name} differs in case alone from {other.name}, which is written too"
