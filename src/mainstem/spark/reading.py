"""What a query of Spark's reads and writes, asked of the JVM on the worker's thread."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mainstem.spark.capture import capture_batch, capture_stream
from mainstem.spark.places import simple_name
from mainstem.spark.plan import lineage_of, stream_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.spark.captured import CapturedPlan
    from mainstem.spark.lineage import QueryLineage
    from mainstem.spark.scope import StreamColumn

BOUNDED_TRIGGERS = frozenset({"AvailableNowTrigger", "OneTimeTrigger"})
_NUMBERS = re.compile(r"#\d+L?|\b\d+\b")


@dataclass(frozen=True, slots=True)
class StreamReading:
    """A started stream, as far as the JVM told."""

    captured: CapturedPlan
    lineage: QueryLineage
    columns: Mapping[int, StreamColumn]
    """What it hands to a function that writes its batches."""

    sink: str
    """The class of its sink, for a name where the sink is no place."""


def trigger_of(query: Any) -> str:
    """The class of a stream's trigger."""
    return simple_name(query.trigger())


def session_of_stream(query: Any) -> str:
    """The session that a stream's batches run in, a clone of the one that started it."""
    return query.sparkSessionForStream().sessionUUID()


def session_of_action(execution: Any) -> str:
    """The session that an action ran in."""
    return execution.sparkSession().sessionUUID()


def read_stream(query: Any) -> StreamReading:
    """A started stream's lineage; known before its first batch."""
    captured = capture_stream(query)
    lineage = lineage_of(captured)
    columns = {} if lineage.outputs else stream_columns(captured)
    return StreamReading(captured, lineage, columns, simple_name(query.sink()))


def read_action(execution: Any, streams: Mapping[int, StreamColumn]) -> QueryLineage:
    """The lineage of an action; of one inside a stream's batch, back to the stream's inputs."""
    return lineage_of(capture_batch(execution), streams)


def rows_written(execution: Any) -> int | None:
    """The rows that a finished write counted; a change of rows counts those it only moved, too."""
    metric = execution.executedPlan().metrics().get("numOutputRows")
    return metric.get().value() if metric.isDefined() else None


def shape_of(execution: Any) -> str:
    """A text that is the same for the same write in every batch of a stream."""
    return _NUMBERS.sub("#", execution.analyzed().toString())
