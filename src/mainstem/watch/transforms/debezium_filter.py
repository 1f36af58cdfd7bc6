"""Debezium's Filter: drops records by a condition in a scripting language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import KEY_ROOT, VALUE_ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_VARIABLE = re.compile(r"(?<![.\w])[A-Za-z]\w*")
_PARTS: Mapping[str, str] = {
    "key": KEY_ROOT,
    "value": VALUE_ROOT,
    "header": "$headers",
    "headers": "$headers",
    "topic": "$topic",
}
"""The variables that a condition has, in whichever language it is."""


def _parts_named(options: Options) -> tuple[str, ...]:
    condition = _QUOTED.sub("", options.settings.text("condition", ""))
    named = (_PARTS.get(word) for word in _VARIABLE.findall(condition))
    # Its other variables are the schemas of key and value, which only say which half is meant.
    return tuple(dict.fromkeys(part for part in named if part)) or (VALUE_ROOT,)


TRANSFORM = Transform(
    name="Filter (Debezium)",
    classes=("io.debezium.transforms.Filter",),
    reads=("condition",),
    drops=_parts_named,
)
