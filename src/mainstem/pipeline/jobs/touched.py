"""What a build that goes on from an earlier one has to make again, and what may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.edges import moved, tellings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Touched(NamedTuple):
    """Small tables: what the new events speak of, and no more."""

    jobs: DataFrame
    """Jobs that something was told of, or that lost a run to another."""

    moved: DataFrame
    """Those of them whose edges may have moved."""

    days: DataFrame
    """Jobs and days that runs of theirs began on, now or before."""

    new_runs: DataFrame
    """What runs tell that were not known before."""


def touched_by(
    events: DataFrame, changed: DataFrame, before: DataFrame, habit: DataFrame, *, few: bool
) -> Touched:
    """What new ``events`` touch: runs ``changed`` by them, and these as they were ``before``.

    ``few`` is whether it may go to every worker.
    """

    def kept(rows: DataFrame) -> DataFrame:
        rows = rows.localCheckpoint()
        return F.broadcast(rows) if few else rows

    both = changed.select("job_id", "created_at").unionByName(before.select("job_id", "created_at"))
    days = kept(both.select("job_id", F.to_date("created_at").alias("day")).distinct())
    # An event may speak of another job than the one that its run belongs to.
    jobs = kept(days.select("job_id").unionByName(events.select("job_id")).distinct())
    now, was = tellings(changed), tellings(before)
    new_runs = now.join(was.select("run_id"), "run_id", "left_anti")
    return Touched(jobs, kept(moved(now, was, habit)), days, new_runs)
