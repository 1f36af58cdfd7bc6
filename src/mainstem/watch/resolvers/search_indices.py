"""How the sinks of search engines turn a topic's name into one that an index may have."""

from __future__ import annotations

_LONGEST = 255


def index_name(topic: str, *, may_not_start_with: str = "-_") -> str:
    """The index of a topic: in lower case, one bad first character dropped.

    >>> index_name("_Orders"), index_name("..")
    ('orders', 'dotdot')
    """
    name = topic.lower()[:_LONGEST]
    if name[:1] and name[0] in may_not_start_with:
        name = name[1:]
    return name.replace(".", "dot") if name in {".", ".."} else name
