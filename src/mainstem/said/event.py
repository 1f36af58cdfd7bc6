"""What an event is about, what it names, and the order that events are folded in."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.said.columns import ColumnsSaid
    from mainstem.said.datasets import DatasetSaid
    from mainstem.said.json_values import Json


class JobName(NamedTuple):
    """What a job is called."""

    namespace: str
    name: str


class EventKind(StrEnum):
    """What an event speaks of."""

    RUN = "run"
    JOB = "job"
    """A job declared without a run."""

    DATASET = "dataset"
    """A dataset declared without a job."""


RANKS = {None: 0, "START": 1, "RUNNING": 2, "OTHER": 3, "COMPLETE": 4, "ABORT": 5, "FAIL": 6}
"""Which of two events of one instant comes first; an event without a type precedes all."""

END_STATES = {"COMPLETE": "COMPLETED", "ABORT": "ABORTED", "FAIL": "FAILED"}

# 0001-01-01 in microseconds before 1970, so that a key's time is never negative.
OLDEST = 62_135_596_800_000_000


def order_key(time: int, event_type: str | None, digest: bytes) -> str:
    """A text that sorts as (time, rank of the type, hash) does."""
    return f"{time + OLDEST:015x}{RANKS[event_type]}{digest.hex()[:16]}"


def time_of_key(key: str) -> int:
    """The event time that an order key begins with."""
    return int(key[:15], 16) - OLDEST


def event_kind(said: Json) -> EventKind:
    """What an event speaks of, told from what it holds."""
    if "run" in said:
        return EventKind.RUN
    if "dataset" in said and "job" not in said:
        return EventKind.DATASET
    url = said.get("schemaURL")
    spoken_of = url.rsplit("/", 1)[-1] if isinstance(url, str) else ""
    if "job" in said and spoken_of != "RunEvent" and "eventType" not in said:
        return EventKind.JOB
    return EventKind.RUN


class Mention(Struct, frozen=True):
    """A dataset as one event names it, on one side of the job."""

    dataset: DatasetName
    written: bool | None
    """True for an output, False for an input, None where no job is spoken of."""

    io_facets: Json
    said: DatasetSaid
    """What its facets say."""

    @property
    def columns(self) -> ColumnsSaid | None:
        """Its column lineage; what is told of an input's columns is not this job's doing."""
        return None if self.written is False else self.said.columns
