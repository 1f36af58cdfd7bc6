"""What a query of Spark's reads and writes, asked of the JVM on the worker's thread."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mainstem.spark.capture import capture_plan, capture_stream
from mainstem.spark.places import simple_name
from mainstem.spark.plan import lineage_of, stream_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.spark.captured import CapturedPlan
    from mainstem.spark.lineage import QueryLineage
    from mainstem.spark.scope import StreamColumn

WRITTEN_BY_SPARK = "org.apache.spark.sql.connector.catalog.SupportsWrite"
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


def stop_hearing_batches(query: Any, listener: Any) -> None:
    """Hear no more of the actions in a stream's batches where they say nothing new.

    Spark writes each batch to a table by an action, and a listener makes each of them cost the
    driver. A sink of the older kind may run writes of its own: a function per batch above all.
    """
    table = query.getClass().getClassLoader().loadClass(WRITTEN_BY_SPARK)
    if table.isInstance(query.sink()):
        query.sparkSessionForStream().listenerManager().unregister(listener)


def read_stream(query: Any) -> StreamReading:
    """A started stream's lineage; known before its first batch."""
    captured = capture_stream(query)
    lineage = lineage_of(captured)
    columns = {} if lineage.outputs else stream_columns(captured)
    return StreamReading(captured, lineage, columns, simple_name(query.sink()))


def read_action(plan: Any, session: Any, streams: Mapping[int, StreamColumn]) -> QueryLineage:
    """The lineage of an action; of one inside a stream's batch, back to the stream's inputs."""
    return lineage_of(capture_plan(plan, session), streams)


def rows_written(execution: Any) -> int | None:
    """The rows that a finished write counted; a change of rows counts those it only moved, too."""
    metric = execution.executedPlan().metrics().get("numOutputRows")
    return metric.get().value() if metric.isDefined() else None


def shape_of(plan: Any) -> str:
    """A text that is the same for the same write in every batch of a stream."""
    return _NUMBERS.sub("#", plan.toString())
