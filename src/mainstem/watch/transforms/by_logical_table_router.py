"""Debezium's ByLogicalTableRouter: many tables' topics into one, by a regular expression."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.record import STRUCT, Node, Record, Side
from mainstem.watch.transforms.regex_router import renamed
from mainstem.watch.transforms.undo_regex import undo

_KEY_FIELD = "__dbz__physicalTableIdentifier"


def _topic(options: Options, topic: str) -> str:
    settings = options.settings
    # A router that makes an empty name leaves the record where it is.
    return renamed(settings.required("topic.regex"), _replacement(options), topic) or topic


def _undo(options: Options, topic: str, words: tuple[str, ...]) -> tuple[str, ...] | Unpredictable:
    return undo(options.settings.required("topic.regex"), _replacement(options), topic, words)


def _replacement(options: Options) -> str:
    return options.settings.required("topic.replacement")


def _key_field(options: Options) -> str | None:
    if not options.settings.flag("key.enforce.uniqueness", default=True):
        return None
    return options.settings.text("key.field.name", _KEY_FIELD)


def _forward(options: Options, record: Record) -> Record:
    name = _key_field(options)
    if name is None:
        return record

    def add(node: Node) -> Node:
        return Node("", STRUCT, node.origins, (*node.fields, Node(name, "string")))

    return record.change(Side.KEY, add)


def _backward(options: Options, record: Record) -> Record:
    name = _key_field(options)
    return record.change(
        Side.KEY,
        lambda node: node.each_field(lambda field: None if field.name == name else field),
    )


TRANSFORM = Transform(
    name="ByLogicalTableRouter",
    classes=(
        "io.debezium.transforms.ByLogicalTableRouter",
        "io.debezium.transforms.ToLogicalTopicRouter",
    ),
    reads=("topic.regex", "topic.replacement", "key.enforce.uniqueness", "key.field.name"),
    topic=_topic,
    undo_topic=_undo,
    forward=_forward,
    backward=_backward,
)
