"""The name of each of a connector's topics at every step of its chain, for people to follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Resolution
from mainstem.watch.transforms.chain import Chain, Route, chain_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Unresolved


def routes(connector: Connector, answer: Resolution | Unresolved) -> tuple[Route, ...]:
    """A sink's topics forward from Kafka; a source's from the names it gives them itself."""
    chain = chain_of(settings_of(connector))
    if not isinstance(answer, Resolution) or not chain.steps:
        return ()
    produced = _topics(connector, answer.outputs)
    return (
        *(chain.route(topic) for topic in _topics(connector, answer.inputs)),
        *(route for topic in produced for route in _produced(chain, answer, topic)),
        *map(chain.route, answer.open_topics),
    )


def _produced(chain: Chain, answer: Resolution, topic: str) -> tuple[Route, ...]:
    """From the names that the family gave the topic itself; where it gave none, led back."""
    edges = (edge for edge in answer.edges if edge.output.name == topic)
    before = dict.fromkeys(edge.topic_before for edge in edges if edge.topic_before)
    return tuple(map(chain.route, before)) or _leading_to(chain, topic)


def _leading_to(chain: Chain, topic: str) -> tuple[Route, ...]:
    """The ways that end at the topic; the one that renames, where others do not."""
    before = chain.undo(topic)
    found = [chain.route(name) for name in before] if isinstance(before, tuple) else []
    certain = [route for route in found if route.end == topic]
    renaming = [route for route in certain if route.start != topic]
    return tuple(renaming if len(renaming) == 1 else certain if len(certain) == 1 else ())


def _topics(connector: Connector, datasets: Iterable[DatasetName]) -> list[str]:
    return [one.name for one in datasets if one.namespace == connector.kafka_namespace]
