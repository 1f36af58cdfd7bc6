"""What every sink has in common: topics in, each through the chain, to what the family says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Edge, Evidence, Resolution
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.java_regex import is_refused, matches
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mainstem.watch.resolvers.model import Connector, ControlTopic


NO_TARGET = "target: "
"""How a reason begins why it is unknown where a sink writes."""


class SinkTopic(Struct, frozen=True):
    """A topic that a sink reads."""

    topic: str
    """Its name in Kafka."""

    routed: str | Unpredictable
    """Its name after the transforms, if that can be predicted."""

    evidence: Evidence

    @property
    def name(self) -> str:
        """The name after the transforms, which is what most sinks make their target's name from.

        A target that does not ask for it is told even where the name is unpredictable.
        """
        if isinstance(self.routed, Unpredictable):
            raise CannotTell(self.routed.reason)
        return self.routed


def resolve_sink(
    connector: Connector,
    family: str,
    target: Callable[[SinkTopic], DatasetName | Iterable[DatasetName]],
    *,
    control: Iterable[ControlTopic] = (),
) -> Resolution:
    """Every topic read, and an edge to each dataset that ``target`` names for it.

    Where ``target`` raises ``CannotTell``, for instance because it asks for a name that a transform
    makes unpredictable, the topic stays an input and the reason is told once.
    """
    inputs: list[DatasetName] = []
    edges: list[Edge] = []
    unresolved: dict[str, None] = {}
    chain = chain_of(settings_of(connector))
    try:
        topics = consumed_topics(connector)
    except CannotTell as unknown:
        topics, unresolved = (), {f"topics: {unknown.reason}": None}
    for topic, evidence in topics:
        dataset = kafka.topic(connector.kafka_namespace, topic)
        inputs.append(dataset)
        try:
            targets = _as_tuple(target(SinkTopic(topic, chain.route(topic).end, evidence)))
        except CannotTell as unknown:
            unresolved[f"{NO_TARGET}{unknown.reason}"] = None
            continue
        edges.extend(Edge(dataset, output, evidence) for output in targets)
    return Resolution(
        family,
        inputs=tuple(inputs),
        outputs=tuple(dict.fromkeys(edge.output for edge in edges)),
        edges=tuple(edges),
        control=tuple(control),
        unresolved=tuple(unresolved),
    )


def consumed_topics(connector: Connector) -> tuple[tuple[str, Evidence], ...]:
    """The topics that a sink reads, by ``topics`` or ``topics.regex``, and how each is known.

    Topics seen count only where the config names them: Connect remembers those of earlier configs.
    """
    config = settings_of(connector)
    seen = connector.topics or ()
    listed = config.names("topics")
    if listed:
        return tuple(
            (topic, Evidence.SEEN if topic in seen else Evidence.CONFIG)
            for topic in dict.fromkeys(listed)
        )
    pattern = config.required("topics", "topics.regex")
    if is_refused(pattern):
        raise CannotTell("topics.regex is a regular expression that Java refuses")
    if not seen:
        raise CannotTell("which topics match topics.regex is known only from the topics seen")
    dead_letters = config.first("errors.deadletterqueue.topic.name")
    return tuple(
        (topic, Evidence.SEEN)
        for topic in dict.fromkeys(seen)
        if topic != dead_letters and matches(pattern, topic)
    )


def _as_tuple(targets: DatasetName | Iterable[DatasetName]) -> tuple[DatasetName, ...]:
    return (targets,) if isinstance(targets, DatasetName) else tuple(targets)
