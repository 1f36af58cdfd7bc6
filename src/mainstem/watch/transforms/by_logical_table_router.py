"""Debezium's ByLogicalTableRouter: many tables' topics into one, by a regular expression."""

from __future__ import annotations

from mainstem.watch.transforms.java_regex import matches
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.record import Node, Origin, Record, Side
from mainstem.watch.transforms.regex_router import form, renamed
from mainstem.watch.transforms.undo_regex import undo

_KEY_FIELDS = {
    "io.debezium.transforms.ByLogicalTableRouter": "__dbz__physicalTableIdentifier",
    "io.debezium.transforms.ToLogicalTopicRouter": "__dbz__sourceIdentifier",
}


def _topic(options: Options, topic: str) -> str:
    return renamed(options.settings.required("topic.regex"), _replacement(options), topic)


def _applies_to(options: Options, topic: str) -> bool:
    # A router that makes an empty name leaves the record as it is.
    return matches(options.settings.required("topic.regex"), topic) and _topic(options, topic) != ""


def _undo(options: Options, topic: str, words: tuple[str, ...]) -> tuple[str, ...] | Unpredictable:
    return undo(options.settings.required("topic.regex"), _replacement(options), topic, words)


def _form(options: Options, topic: str) -> str:
    return form(options.settings.required("topic.regex"), _replacement(options), topic)


def _replacement(options: Options) -> str:
    return options.settings.required("topic.replacement")


def _key_field(options: Options) -> str | None:
    if not options.settings.flag("key.enforce.uniqueness", default=True):
        return None
    return options.settings.text("key.field.name", _KEY_FIELDS[_class_name(options)])


def _class_name(options: Options) -> str:
    return options.settings["type"].partition("$")[0]


def _shortens(options: Options) -> bool:
    return options.settings.first("key.field.regex") is not None


def _forward(options: Options, record: Record) -> Record:
    name = _key_field(options)
    if name is None:
        return record

    from_topic = Origin("$topic", "TRANSFORMATION" if _shortens(options) else "IDENTITY")

    def add(node: Node) -> Node:
        return node.with_fields((*node.fields, Node(name, "string", (from_topic,))))

    return record.change(Side.KEY, add)


def _backward(options: Options, record: Record) -> Record:
    name = _key_field(options)
    return record.change(
        Side.KEY,
        lambda node: node.each_field(lambda field: None if field.name == name else field),
    )


TRANSFORM = Transform(
    name="ByLogicalTableRouter",
    classes=tuple(_KEY_FIELDS),
    reads=(
        "topic.regex",
        "topic.replacement",
        "key.enforce.uniqueness",
        "key.field.name",
        "key.field.regex",
    ),
    applies_to=_applies_to,
    topic=_topic,
    form=_form,
    undo_topic=_undo,
    forward=_forward,
    backward=_backward,
)
