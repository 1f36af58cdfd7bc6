"""ReplaceField: fields dropped, kept and renamed, at the top of a record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import Side

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Nesting, Node, Record


_COMMA = re.compile(r"\s*,\s*")


def renames_of(options: Options) -> dict[str, str]:
    """From the old name to the new, for each pair ``old:new`` of ``renames``."""
    text = options.settings.first("renames")
    return dict(map(_pair, _COMMA.split(text))) if text else {}


def _pair(entry: str) -> tuple[str, str]:
    # Blanks around the colon belong to the names.
    old, _, new = entry.partition(":")
    if not new or ":" in new:
        raise CannotTell("renames holds something that is not a pair old:new")
    return old, new


def _forward(options: Options, record: Record) -> Record:
    excluded = options.settings.names("exclude", "blacklist")
    included = options.settings.names("include", "whitelist")
    renames = renames_of(options)
    old_names = {new: old for old, new in renames.items()}

    def change(field: Node) -> Node | None:
        if field.name in excluded or (included and field.name not in included):
            return None
        name = renames.get(field.name, field.name)
        if old_names.get(name, name) != field.name:
            # Java looks the value up under the other name, and most often finds none.
            raise CannotTell("a field has the name that another is renamed to")
        return field.named(name)

    return record.change(options.side, lambda node: node.each_field(change))


def _backward(options: Options, record: Record) -> Record:
    old_names = {new: old for old, new in renames_of(options).items()}

    def change(field: Node) -> Node:
        return field.named(old_names.get(field.name, field.name))

    return record.change(options.side, lambda node: node.each_field(change))


def _nesting(options: Options, nesting: Nesting) -> Nesting | None:
    renames = renames_of(options)
    touched = {*renames, *renames.values()} & nesting.records
    return None if touched and options.side is Side.VALUE else nesting


TRANSFORM = Transform(
    name="ReplaceField",
    classes=("org.apache.kafka.connect.transforms.ReplaceField",),
    reads=("include", "exclude", "renames", "whitelist", "blacklist"),
    forward=_forward,
    backward=_backward,
    nesting=_nesting,
)
