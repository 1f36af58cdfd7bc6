"""Runs as the fold of their events: each event is a run of one event, and merging commutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.tables import RUN
from mainstem.said.event import END_STATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column, DataFrame

MISSED_HEARTBEATS = 3
_LEAST = ("job", "started", "running", "end", "created_at")
_MOST = (
    "declared", "typed", "updated_at", "error", "parent", "connector", "pattern", "location",
    "named", "read", "written",
)  # fmt: skip
_SUMS = ("all_read", "all_written", "events")
_FOLDED = (
    "job", "started", "running", "end", "typed", "error", "parent", "connector", "pattern",
    "location", "named", "read", "written", "all_read", "all_written",
)  # fmt: skip

_FOLD = (
    "job struct<key:string,job_id:bigint,namespace:string,name:string>,"
    " started bigint, running bigint, end struct<key:string,type:string,at:bigint>, typed boolean,"
    " error struct<key:string,message:string>,"
    " parent struct<key:string,run_id:string,namespace:string,name:string>,"
    " connector struct<key:string,config:string,"
    "edges:array<struct<dataset_id:bigint,evidence:string>>>,"
    " pattern struct<key:string,snapshot:boolean,window:double>,"
    " location struct<key:string,url:string>, named string,"
    " read struct<key:string,rows:bigint>, written struct<key:string,rows:bigint>,"
    " all_read bigint, all_written bigint,"
    " told array<struct<shape_id:bigint,first_at:bigint,last_key:string>>"
)
"""What goes on of a run that more is told of; times are microseconds, which JSON keeps."""
_CARRIED = (
    "run_id", "job_id", "job_namespace", "job_name", "declared", "state", "created_at",
    "updated_at", "config_version", "events", "names_datasets",
)  # fmt: skip
"""What goes on beside it: no nested column is among them."""


def as_runs(events: DataFrame) -> DataFrame:
    """Every event of a job as a run of its own."""
    key, time, kind = F.col("key"), F.col("time"), F.col("type")
    kind_of_event = F.col("kind")

    micros = F.unix_micros("time")

    def of_type(word: str) -> Column:
        return F.when(kind == word, micros)

    def word(name: str, *fields: str) -> Column:
        value = F.col(name)
        parts = [value[one].alias(one) for one in fields]
        return F.when(value.isNotNull(), F.struct(key, *parts)).alias(name)

    def rows(name: str, column: str) -> Column:
        counted = F.struct(key, F.col(column).alias("rows"))
        return F.when(F.col(column).isNotNull(), counted).alias(name)

    job = F.struct(
        key, "job_id", F.col("job_namespace").alias("namespace"), F.col("job_name").alias("name")
    )
    ends = F.struct(key, kind.alias("type"), micros.alias("at"))
    # Shuffled and sorted before each word carries the key: that is half as wide.
    told = events.where(kind_of_event != "dataset").repartition("run_id")
    return told.sortWithinPartitions("run_id", "shape_id").select(
        "run_id",
        job.alias("job"),
        (kind_of_event == "job").alias("declared"),
        time.alias("created_at"),
        time.alias("updated_at"),
        of_type("START").alias("started"),
        of_type("RUNNING").alias("running"),
        F.when(kind.isin(*END_STATES), ends).alias("end"),
        kind.isNotNull().alias("typed"),
        word("error", "message"),
        word("parent", "run_id", "namespace", "name"),
        word("connector", "config", "edges"),
        word("pattern", "snapshot", "window"),
        word("location", "url"),
        F.when(F.col("names_datasets"), key).alias("named"),
        rows("read", "rows_read"),
        rows("written", "rows_written"),
        F.col("rows_read").alias("all_read"),
        F.col("rows_written").alias("all_written"),
        F.lit(1).cast("bigint").alias("events"),
        "shape_id",
        micros.alias("first_at"),
        key.alias("last_key"),
    )


def resumed(runs: DataFrame) -> DataFrame:
    """Rows of ``run`` as a build goes on from them: ``fold`` is opened, nothing else was nested.

    Rows that have a ``place`` keep it.
    """
    carried = [name for name in runs.columns if name in (*_CARRIED, "place")]
    rows = runs.select(*carried, F.from_json("fold", _FOLD).alias("fold"))
    return rows.select(
        "*",
        _shown(F.col("fold.told")).alias("told"),
        F.col("fold.connector.edges").alias("edges"),
        F.col("fold.pattern.snapshot").alias("snapshot"),
        F.col("fold.named").alias("named_key"),
    )


def standing_runs(runs: DataFrame) -> DataFrame:
    """``resumed`` runs in the shape of ``as_runs``, to be merged with what is new.

    A run has a row for each of its shapes; what is summed stands in the first alone.
    """
    folded = [F.col("fold")[name].alias(name) for name in _FOLDED]
    rows = runs.select(
        "run_id", "declared", "created_at", "updated_at", "events", *folded,
        F.posexplode("fold.told").alias("place", "one"),
    )  # fmt: skip
    once = {name: F.when(F.col("place") == 0, F.col(name)) for name in _SUMS}
    return rows.withColumns(once).select("*", "one.*").drop("place", "one")


def _shown(told: Column) -> Column:
    """What a run was told with, with times for people."""
    return F.transform(
        told,
        lambda one: F.struct(
            one.shape_id.alias("shape_id"),
            F.timestamp_micros(one.first_at).alias("first_at"),
            one.last_key.alias("last_key"),
        ),
    )


def fold_runs(parts: DataFrame) -> DataFrame:
    """Rows of ``run``, merged from parts of runs."""

    def merge(names: tuple[str, ...], fold: Callable[[str], Column]) -> list[Column]:
        return [fold(name).alias(name) for name in names]

    both = [*merge(_LEAST, F.min), *merge(_MOST, F.max), *merge(_SUMS, F.sum)]
    # By shapes first: a run of a million heartbeats has few.
    by_shape = parts.groupBy("run_id", "shape_id").agg(
        *both, F.min("first_at").alias("first_at"), F.max("last_key").alias("last_key")
    )
    told = F.collect_list(F.struct("shape_id", "first_at", "last_key"))
    merged = by_shape.groupBy("run_id").agg(*both, told.alias("told"))
    started = F.coalesce("started", "running")
    watched = F.col("connector.edges").isNotNull()
    state = F.when(F.col("typed"), "RUNNING").otherwise("NEW")
    for word, name in END_STATES.items():
        state = F.when(F.col("end.type") == word, name).otherwise(state)
    lasted = F.col("end.at") - F.coalesce(started, F.unix_micros("created_at"))
    window = F.col("pattern.window") * MISSED_HEARTBEATS * 1_000_000
    overdue = F.timestamp_micros(F.unix_micros("updated_at") + window.cast("bigint"))
    shown = {
        "job_id": F.col("job.job_id"),
        "job_namespace": F.col("job.namespace"),
        "job_name": F.col("job.name"),
        "state": state,
        "started_at": F.timestamp_micros(started),
        "ended_at": F.timestamp_micros("end.at"),
        "duration_ms": (lasted / 1000).cast("bigint"),
        "error": F.col("error.message"),
        "parent_run_id": F.col("parent.run_id"),
        "parent_namespace": F.col("parent.namespace"),
        "parent_name": F.col("parent.name"),
        "config_version": F.coalesce("connector.config", "location.url", F.lit("")),
        "overdue_after": F.when(F.col("end").isNull(), overdue),
        # A watcher counts since its last report, everybody else the whole run.
        "rows_read": F.when(watched, F.col("all_read")).otherwise(F.col("read.rows")),
        "rows_written": F.when(watched, F.col("all_written")).otherwise(F.col("written.rows")),
        "names_datasets": F.col("named").isNotNull(),
        "named_key": F.col("named"),
        "snapshot": F.coalesce("pattern.snapshot", F.lit(False)),
        "edges": F.col("connector.edges"),
        "fold": F.to_json(F.struct(*_FOLDED, "told")),
        "told": _shown(F.col("told")),
    }
    kept = ("run_id", "declared", "created_at", "updated_at", "events")
    return RUN.of(merged.select(*kept, *[one.alias(name) for name, one in shown.items()]))
