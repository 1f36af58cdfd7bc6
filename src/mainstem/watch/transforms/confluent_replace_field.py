"""Confluent's ReplaceField: as Apache's, with the paths of nested fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.replace_field import renames_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.transforms.record import Node, Record


def _forward(options: Options, record: Record) -> Record:
    excluded = options.settings.names("exclude", "blacklist")
    included = options.settings.names("include", "whitelist")
    renames = renames_of(options)

    def change(field: Node, path: str) -> Node | None:
        if path in excluded or (included and not _touches(path, included)):
            return None
        kept = (
            field.each_field(lambda one: change(one, f"{path}.{one.name}"))
            if field.is_record
            else field
        )
        return kept.named(renames.get(path, field.name))

    return record.change(
        options.side, lambda node: node.each_field(lambda one: change(one, one.name))
    )


def _backward(options: Options, record: Record) -> Record:
    old_names: dict[tuple[str, str], str] = {}
    for path, new in renames_of(options).items():
        parent, _, old = path.rpartition(".")
        old_names[parent, new] = old

    def change(field: Node, parent: str) -> Node:
        name = old_names.get((parent, field.name), field.name)
        path = f"{parent}.{name}" if parent else name
        inner = field.each_field(lambda one: change(one, path)) if field.is_record else field
        return inner.named(name)

    return record.change(options.side, lambda node: node.each_field(lambda one: change(one, "")))


def _touches(path: str, included: Iterable[str]) -> bool:
    """Whether a path is in the list, below one that is, or on the way to one."""
    return any(
        path == one or path.startswith(f"{one}.") or one.startswith(f"{path}.") for one in included
    )


TRANSFORM = Transform(
    name="ReplaceField (Confluent)",
    classes=("io.confluent.connect.transforms.ReplaceField",),
    reads=("include", "exclude", "renames", "whitelist", "blacklist"),
    forward=_forward,
    backward=_backward,
)
