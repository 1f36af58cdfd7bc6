"""Predicates: whether a transform applies to the records of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.transforms.java_regex import matches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mainstem.watch.transforms.settings import Settings


def _topic_name_matches(options: Settings, topic: str) -> bool | None:
    return matches(options.required("pattern"), topic)


def _has_header_key(_options: Settings, _topic: str) -> bool | None:
    return None


def _record_is_tombstone(_options: Settings, _topic: str) -> bool | None:
    # A tombstone carries no data, so what happens to it alone is no lineage.
    return False


PREDICATES: Mapping[str, Callable[[Settings, str], bool | None]] = {
    "TopicNameMatches": _topic_name_matches,
    "HasHeaderKey": _has_header_key,
    "RecordIsTombstone": _record_is_tombstone,
}
"""By simple class name; the answer None is "it depends on the record"."""

READS = ("type", "pattern")


def holds(config: Settings, name: str, topic: str) -> bool | None:
    """Whether the predicate of that name holds for a topic's records; None where that depends."""
    options = config.under(f"predicates.{name}.")
    simple_name = (options.first("type") or "").rpartition(".")[2]
    predicate = PREDICATES.get(simple_name)
    return predicate(options, topic) if predicate else None
