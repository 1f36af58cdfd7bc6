"""Config values that map topics to targets: ``orders:ORDERS,items:ITEMS`` and their likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.transforms.java_regex import matches, replace_first

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

Pairs = tuple[tuple[str, str], ...]


def pairs(config: Settings, *keys: str, separator: str = ":") -> Pairs:
    """The pairs of the first key that is set, in their order; blanks around the parts are dropped.

    >>> from mainstem.watch.transforms.settings import Settings
    >>> pairs(Settings({"map": "a:x, b : y"}), "map")
    (('a', 'x'), ('b', 'y'))
    """
    found: list[tuple[str, str]] = []
    for item in config.names(*keys):
        left, mark, right = item.partition(separator)
        if not (mark and left.strip() and right.strip()):
            raise CannotTell(f"{' or '.join(keys)} is not a list of topic{separator}target")
        found.append((left.strip(), right.strip()))
    return tuple(found)


def by_name(mapped: Pairs, topic: str) -> str | None:
    """The target of the pair that names the topic."""
    return dict(mapped).get(topic)


def by_regex(mapped: Pairs, topic: str, *, fill_groups: bool = False) -> str | None:
    """The target of the first pair whose regular expression matches the whole topic.

    >>> by_regex((("eu_(.*)", "t_$1"),), "eu_orders", fill_groups=True)
    't_orders'
    """
    for pattern, target in mapped:
        if matches(pattern, topic):
            return replace_first(pattern, target, topic) if fill_groups else target
    return None
