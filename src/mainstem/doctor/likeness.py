"""How alike two datasets are: by their columns, and by their names."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import IntEnum
from functools import lru_cache

Columns = tuple[str, ...]
_RECORD = frozenset(
    {"key", "value", "topic", "partition", "offset", "timestamp", "timestamptype", "headers"}
)
"""What Spark calls a topic's columns whatever the topic holds."""

FEWEST = 2
"""A single column says little about what a table is."""

_HALF = 0.5
_WORDS = re.compile(r"[^a-z0-9]+")
_DIGITS = re.compile(r"\d+")
_SHORT_WORD = 3
_SHORT_NAME = 5


class Schemas(IntEnum):
    """How alike two schemas are."""

    DIFFERENT = 0
    UNKNOWN = 1
    ALIKE = 2
    """Most columns are the same."""

    EQUAL = 3


def compare(one: Columns, other: Columns) -> Schemas:
    """How alike two datasets' columns are, whatever their case and what lies below them."""
    first, second = signature(one), signature(other)
    if not first or not second:
        return Schemas.UNKNOWN
    if first == second:
        return Schemas.EQUAL if len(first) >= FEWEST else Schemas.UNKNOWN
    shared = len(first & second)
    return Schemas.ALIKE if shared > _HALF * max(len(first), len(second)) else Schemas.DIFFERENT


@lru_cache(maxsize=65_536)
def signature(columns: Columns) -> frozenset[str]:
    """A dataset's own columns in lower case; nothing where they are only a record's parts."""
    own = frozenset(one.lower() for one in columns if "." not in one and not one.startswith("$"))
    return frozenset() if own <= _RECORD else own


def squeezed(name: str) -> str:
    """A name without what people write in different ways: case, separators, a plural's s.

    >>> squeezed("Shop-Orders") == squeezed("shop.order")
    True
    """
    return "".join(word.removesuffix("s") for word in _WORDS.split(name.lower()))


def are_near(one: str, other: str) -> bool:
    """Whether one name may be the other with a slip in it.

    Numbers tell things apart, and so do short words: ``orders_1`` is not ``orders_2``, and
    ``orders_eu`` is not ``orders_us``.

    >>> are_near("shop.orders", "shop.oders"), are_near("orders_eu", "orders_us")
    (True, False)
    """
    if squeezed(one) == squeezed(other):
        return True
    if _DIGITS.findall(one) != _DIGITS.findall(other):
        return False
    first, second = _WORDS.split(one.lower()), _WORDS.split(other.lower())
    if len(first) != len(second):
        return False
    apart = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and _is_slip(*apart[0])


def _is_slip(one: str, other: str) -> bool:
    """Whether two words differ by one letter, or by two that changed places."""
    if min(len(one), len(other)) <= _SHORT_WORD or max(len(one), len(other)) < _SHORT_NAME:
        return False
    if abs(len(one) - len(other)) > 1:
        return False
    if len(one) == len(other):
        at = [place for place in range(len(one)) if one[place] != other[place]]
        swapped = len(at) == 2 and one[at[0]] == other[at[1]] and one[at[1]] == other[at[0]]  # noqa: PLR2004
        return len(at) == 1 or swapped
    matched = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in matched) == min(len(one), len(other))
