"""Confluent's ExtractTopic and its likes: a field's value becomes the topic."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.routed_by_data import cannot_be_undone, depends_on_data


def _form(options: Options, _topic: str) -> str:
    return f"${{{options.settings.required('field', 'field.name')}}}"


TRANSFORM = Transform(
    name="ExtractTopic",
    classes=(
        "io.confluent.connect.transforms.ExtractTopic",
        "io.aiven.kafka.connect.transforms.ExtractTopic",
        "io.aiven.kafka.connect.transforms.ExtractTopicFromValueSchema",
        "io.aiven.kafka.connect.transforms.ExtractTopicFromSchemaName",
    ),
    reads=("field", "field.name"),
    topic=depends_on_data,
    form=_form,
    undo_topic=cannot_be_undone,
)
