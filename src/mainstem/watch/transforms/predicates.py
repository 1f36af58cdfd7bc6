"""Predicates: whether a transform applies to the records of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.transforms.java_regex import matches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mainstem.watch.transforms.settings import Settings


class Predicate(Struct, frozen=True):
    """One kind of condition."""

    holds: Callable[[Settings, str | None], bool | None]
    """Whether it holds for the records of a topic; None where that depends, on the record or on
    the topic's name, which may be unknown (None)."""

    looks_at: str | None = None
    """The part of each record that decides it."""


def _topic_name_matches(options: Settings, topic: str | None) -> bool | None:
    return None if topic is None else matches(options.required("pattern"), topic)


def _depends(_options: Settings, _topic: str | None) -> bool | None:
    return None


def _record_is_tombstone(_options: Settings, _topic: str | None) -> bool | None:
    # A tombstone carries no data, so what happens to it alone is no lineage.
    return False


PREDICATES: Mapping[str, Predicate] = {
    "TopicNameMatches": Predicate(_topic_name_matches),
    "HasHeaderKey": Predicate(_depends, "$headers"),
    "RecordIsTombstone": Predicate(_record_is_tombstone, "$value"),
}
"""By simple class name."""

_UNKNOWN = Predicate(_depends)
READS = ("type", "pattern")


def holds(config: Settings, name: str, topic: str | None) -> bool | None:
    """Whether the predicate of that name holds for a topic's records; None where that depends."""
    return _named(config, name).holds(config.under(f"predicates.{name}."), topic)


def looks_at(config: Settings, name: str) -> str | None:
    """The part of each record by which the predicate of that name decides."""
    return _named(config, name).looks_at


def _named(config: Settings, name: str) -> Predicate:
    simple_name = (config.first(f"predicates.{name}.type") or "").rpartition(".")[2]
    return PREDICATES.get(simple_name, _UNKNOWN)
