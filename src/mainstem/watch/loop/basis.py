"""What the thinking about one connector rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mainstem.watch.schema_registry.fields import TopicFields

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from mainstem.watch.loop.kafka_name import KafkaName


@dataclass(frozen=True, slots=True)
class Basis:
    """All that the thinking rests on besides what was seen of the connector itself."""

    topics: tuple[str, ...] | None
    kafka: KafkaName
    worker_version: str
    provided: Mapping[str, str]
    """Values of config-provider placeholders that the recipe lets us read."""

    quiet_since: datetime | None
    fields: Mapping[str, TopicFields] = field(default_factory=dict[str, TopicFields])
    """By topic, what the schema registry told."""

    missing_schemas: tuple[str, ...] = ()
    """Why others are missing."""
