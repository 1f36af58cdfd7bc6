"""ReplaceField: fields dropped, kept and renamed, at the top of a record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mainstem.watch.transforms.model import Options, Transform

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Node, Record


def renames_of(options: Options) -> dict[str, str]:
    """From the old name to the new, for each pair ``old:new`` of ``renames``."""
    pairs = (entry.split(":") for entry in options.settings.names("renames"))
    return {pair[0].strip(): pair[1].strip() for pair in pairs if len(pair) == 2}  # noqa: PLR2004


def _forward(options: Options, record: Record) -> Record:
    excluded = options.settings.names("exclude", "blacklist")
    included = options.settings.names("include", "whitelist")
    renames = renames_of(options)

    def change(field: Node) -> Node | None:
        kept = field.name not in excluded and (not included or field.name in included)
        return replace(field, name=renames.get(field.name, field.name)) if kept else None

    return record.change(options.side, lambda node: node.each_field(change))


def _backward(options: Options, record: Record) -> Record:
    old_names = {new: old for old, new in renames_of(options).items()}

    def change(field: Node) -> Node:
        return replace(field, name=old_names.get(field.name, field.name))

    return record.change(options.side, lambda node: node.each_field(change))


TRANSFORM = Transform(
    name="ReplaceField",
    classes=("org.apache.kafka.connect.transforms.ReplaceField",),
    reads=("include", "exclude", "renames", "whitelist", "blacklist"),
    forward=_forward,
    backward=_backward,
)
