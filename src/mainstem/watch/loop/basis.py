"""What the thinking about one connector rests on."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from mainstem.watch.loop.kafka_name import KafkaName
    from mainstem.watch.schema_registry.fields import TopicFields


NO_FIELDS: Mapping[str, TopicFields] = MappingProxyType({})


class Basis(NamedTuple):
    """All that the thinking rests on besides what was seen of the connector itself."""

    topics: tuple[str, ...] | None
    kafka: KafkaName
    worker_version: str
    provided: Mapping[str, str]
    """Values of config-provider placeholders that the recipe lets us read."""

    quiet_since: datetime | None
    fields: Mapping[str, TopicFields] = NO_FIELDS
    """By topic, what the schema registry told."""

    missing_schemas: tuple[str, ...] = ()
    """Why others are missing."""

    unasked: str | None = None
    """Why the connector's topics could not be asked, if so."""

    holds: bool = False
    """Whether what was told before may still be so, although nothing shows it now."""
