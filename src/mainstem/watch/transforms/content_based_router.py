"""Debezium's ContentBasedRouter: a script decides the topic of each record."""

from __future__ import annotations

from mainstem.watch.transforms.java_regex import matches
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.routed_by_data import cannot_be_undone, depends_on_data


def _topic(options: Options, topic: str) -> str | Unpredictable:
    applies_to = options.settings.first("topic.regex")
    if applies_to and not matches(applies_to, topic):
        return topic
    return depends_on_data(options, topic)


def _form(_options: Options, topic: str) -> str:
    return f"{topic}, or where its expression routes the record"


TRANSFORM = Transform(
    name="ContentBasedRouter",
    classes=("io.debezium.transforms.ContentBasedRouter",),
    reads=("topic.regex",),
    topic=_topic,
    form=_form,
    undo_topic=cannot_be_undone,
)
