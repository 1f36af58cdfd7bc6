"""What is asked of Spark about its queries besides their plans, on the worker's thread."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mainstem.spark.places import simple_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WRITTEN_BY_SPARK = "org.apache.spark.sql.connector.catalog.SupportsWrite"
BOUNDED_TRIGGERS = frozenset({"AvailableNowTrigger", "OneTimeTrigger"})
_NUMBERS = re.compile(r"#\d+L?|\b\d+\b")
_INSIDE: Mapping[str, Callable[[Any], Any]] = {
    "AdaptiveSparkPlan": lambda plan: plan.executedPlan(),
    "ResultQueryStage": lambda plan: plan.plan(),
}
"""What Spark lays around a physical plan that it may change while it runs, by its own name."""


def trigger_of(query: Any) -> str:
    """The class of a stream's trigger."""
    return simple_name(query.trigger())


def sink_of(query: Any) -> str:
    """The class of a stream's sink, for a name where the sink is no place."""
    return simple_name(query.sink())


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


def rows_written(execution: Any) -> int | None:
    """The rows that a finished write counted; a change of rows counts those it only moved, too."""
    plan = execution.executedPlan()
    while (inside := _INSIDE.get(plan.nodeName())) is not None:
        plan = inside(plan)
    metric = plan.metrics().get("numOutputRows")
    return metric.get().value() if metric.isDefined() else None


def shape_of(plan: Any) -> str:
    """A text that is the same for the same write in every batch of a stream."""
    return _NUMBERS.sub("#", plan.toString())
