"""Which topics a connector's registry is asked for, thought through again only after a change."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.watch.loop.kafka_name import overrides_kafka
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.schema_registry.subjects import Questions, questions_for

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from mainstem.watch.connect.converters import Converters
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.schema_registry.access import Trust
    from mainstem.watch.schema_registry.client import Limits


class RegistrySettings(Struct, frozen=True):
    """What the recipe and the worker's file say of schema registries."""

    trust: Trust
    worker: Converters
    subjects: tuple[tuple[str, str], ...]
    limits: Limits
    questions_per_look: int


class QuestionBook:
    """Remembers what is asked for each connector."""

    def __init__(self, settings: RegistrySettings) -> None:
        self._settings = settings
        self.asks = cache(self._asks)
        """Whether a registry has anything to do with these converters."""

        self._elsewhere = replace(settings.trust, kafka=None)
        """For connectors that work on another Kafka than the recipe's client knows."""

        self._held: dict[str, tuple[object, Mapping[str, Questions]]] = {}

    def questions(
        self,
        observed: ObservedConnector,
        converters: Converters,
        basis: object,
        topics: Callable[[], Iterable[str]],
    ) -> Mapping[str, Questions]:
        """By topic; ``basis`` is all that the topics rest on besides the connector itself."""
        held = self._held.get(observed.name)
        now = (observed.config, converters, basis)
        if held is not None and held[0] == now:
            return held[1]
        elsewhere = overrides_kafka(observed.config, observed.type)
        trust = self._elsewhere if elsewhere else self._settings.trust
        found = {topic: self._for(topic, converters, trust) for topic in topics()}
        self._held[observed.name] = (now, found)
        return found

    def held(self, connector: str) -> Mapping[str, Questions]:
        """What is asked for a connector, by topic."""
        held = self._held.get(connector)
        return held[1] if held else {}

    def all(self) -> Iterator[Questions]:
        """What is asked for any connector."""
        return (each for _, topics in self._held.values() for each in topics.values())

    def keep_only(self, connectors: Collection[str]) -> None:
        """Forget the connectors that are gone."""
        for name in self._held.keys() - connectors:
            del self._held[name]

    def _asks(self, converters: Converters) -> bool:
        halves = self._for("", converters, self._settings.trust)
        return not (isinstance(halves.key, NoSchema) and isinstance(halves.value, NoSchema)) or (
            converters.key.uses_registry is True or converters.value.uses_registry is True
        )

    def _for(self, topic: str, converters: Converters, trust: Trust) -> Questions:
        settings = self._settings
        return questions_for(topic, converters, settings.worker, trust, dict(settings.subjects))
