"""What the queries and writes of one application are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.jobs import spark_job

if TYPE_CHECKING:
    from mainstem.spark.lineage import Dataset, QueryLineage

WITHOUT_A_PLACE = "query"


class JobNames:
    """Names that stay the same from run to run, and tell different work apart.

    A query that has a name is called by it. Anything else is called by what it writes, and where
    one application writes the same place from different inputs, the second gets ``.2``: two kinds
    of work under one name would take turns in overwriting each other's lineage.
    """

    def __init__(self, application: str) -> None:
        self._application = application
        self._known: dict[str, list[object]] = {}

    def of_stream(self, query_name: str | None, lineage: QueryLineage, sink: str) -> str:
        """A streaming query's job; ``sink`` is the class of a sink that is no place."""
        if query_name:
            return spark_job(self._application, query_name)
        written = _short_name(lineage.outputs[0]) if lineage.outputs else _sink_name(sink)
        return self._distinct(spark_job(self._application, written), lineage)

    def of_action(self, lineage: QueryLineage) -> str:
        """A batch action's job: what it does, to what."""
        named = lineage.outputs or lineage.inputs
        place = _short_name(named[0]) if named else WITHOUT_A_PLACE
        verb = (lineage.mode or "write") if lineage.outputs else "read"
        return self._distinct(spark_job(self._application, f"{verb}.{place}"), lineage)

    def of_step(self, name: str) -> str:
        """The job of a block under ``run``."""
        return spark_job(self._application, name)

    def _distinct(self, name: str, lineage: QueryLineage) -> str:
        work = (
            frozenset(one.key for one in lineage.inputs),
            frozenset(one.key for one in lineage.outputs),
        )
        known = self._known.setdefault(name, [])
        if work not in known:
            known.append(work)
        number = known.index(work) + 1
        return name if number == 1 else f"{name}.{number}"


def _sink_name(sink: str) -> str:
    """``ForeachBatchSink`` is foreachBatch, ``NoopTable`` is noop."""
    kind = sink.removesuffix("Sink").removesuffix("Table") or sink
    return kind[:1].lower() + kind[1:]


def _short_name(dataset: Dataset) -> str:
    """The catalog's name for it where there is one, else the last part of its path."""
    for _, name, kind in dataset.symlinks:
        if kind == "TABLE":
            return name
    return dataset.name.rstrip("/").rsplit("/", 1)[-1] or dataset.name
