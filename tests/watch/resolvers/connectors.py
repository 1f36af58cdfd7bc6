"""Connectors for tests, in few words."""

from __future__ import annotations

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.model import Connector, Direction, Resolution, Unresolved

KAFKA = "kafka://b1:9092"


def topic(name: str) -> DatasetName:
    return DatasetName(KAFKA, name)


def connector(direction: str, config: dict[str, str], *topics: str, **more: object) -> Connector:
    return Connector(
        name="c",
        direction=Direction(direction),
        config=config,
        kafka_namespace=KAFKA,
        topics=topics or None,
        **more,  # type: ignore[arg-type]
    )


def resolved(answer: Resolution | Unresolved) -> Resolution:
    assert isinstance(answer, Resolution), answer
    return answer


def edges(answer: Resolution | Unresolved) -> set[tuple[str, str, str]]:
    return {
        (edge.input.name, edge.output.name, edge.evidence.value) for edge in resolved(answer).edges
    }
