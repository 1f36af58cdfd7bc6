"""From the answer to ``/connectors/{name}/offsets`` to numbers; nothing else of it leaves here.

A source writes whatever it likes into its partitions and offsets, credentials too: a Camel source
puts its whole endpoint URL there.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY = secrets.token_bytes(32)
"""Of this process alone, so that a mark tells nothing but whether two answers are the same."""

TopicPartition = tuple[str, int]


class Offsets(Struct, frozen=True):
    """How far a connector is."""

    committed: Mapping[TopicPartition, int]
    """How far a sink, or MirrorMaker's source, has read Kafka topics.

    Empty for every other source: what its offsets count is nobody else's business.
    """

    mark: str
    """Changes with anything in the answer."""

    empty: bool
    """Nothing was ever committed: no record has come through yet."""


def read_offsets(answer: Mapping[str, Any]) -> Offsets:
    """The numbers of an answer; an entry of an unknown shape counts for the mark alone."""
    told = answer.get("offsets")
    entries = cast("list[Any]", told) if isinstance(told, list) else []
    committed: dict[TopicPartition, int] = {}
    for entry in entries:
        match entry:
            case {
                "partition": {"kafka_topic": str(topic), "kafka_partition": int(partition)},
                "offset": {"kafka_offset": int(offset)},
            }:
                committed[topic, partition] = offset
            case {
                "partition": {"cluster": str(), "topic": str(topic), "partition": int(partition)},
                "offset": {"offset": int(offset)},
            }:
                committed[topic, partition] = offset
            case _:
                continue
    return Offsets(committed, _mark(entries), empty=not entries)


def _mark(entries: list[Any]) -> str:
    """Of the entries in whatever order they came."""
    digest = hashlib.blake2b(key=_KEY, digest_size=16)
    for entry in sorted(json.dumps(entry, sort_keys=True) for entry in entries):
        digest.update(entry.encode() + b"\n")
    return digest.hexdigest()
