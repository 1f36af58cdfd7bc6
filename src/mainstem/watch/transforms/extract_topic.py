"""Confluent's ExtractTopic and its likes: a field's value becomes the topic."""

from __future__ import annotations

from mainstem.watch.transforms.model import Transform
from mainstem.watch.transforms.routed_by_data import cannot_be_undone, depends_on_data

TRANSFORM = Transform(
    name="ExtractTopic",
    classes=(
        "io.confluent.connect.transforms.ExtractTopic",
        "io.aiven.kafka.connect.transforms.ExtractTopic",
        "io.aiven.kafka.connect.transforms.ExtractTopicFromValueSchema",
        "io.aiven.kafka.connect.transforms.ExtractTopicFromSchemaName",
    ),
    topic=depends_on_data,
    undo_topic=cannot_be_undone,
)
