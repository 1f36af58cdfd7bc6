"""What a build that goes on from an earlier one has to make again, and what may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import HABIT
from mainstem.pipeline.steps.edges import compared, moved, tellings
from mainstem.pipeline.tables import JOB

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from mainstem.pipeline.jobs.target import Target


class Touched(NamedTuple):
    """Small tables: what the new events speak of, and no more."""

    jobs: DataFrame
    """Jobs that something was told of, or that lost a run to another."""

    moved: DataFrame
    """Those of them whose edges may have moved."""

    whole: DataFrame
    """Those of them whose edges follow from all their runs; those of the others go on."""

    days: DataFrame
    """Jobs and days that runs of theirs began on, now or before."""

    changed: DataFrame
    """Runs that something was told of, as they are now."""

    told: DataFrame
    """What they tell, compared with what they told before."""

    uses: DataFrame
    """What the new events use, and nothing that was used before."""

    few: bool
    """Whether all of it may go to every worker."""


def sent(rows: DataFrame, *, few: bool) -> DataFrame:
    """Rows that are made once and, where they are few, go to every worker."""
    rows = rows.localCheckpoint()
    return F.broadcast(rows) if few else rows


def touched_by(
    target: Target, uses: DataFrame, changed: DataFrame, before: DataFrame, *, few: bool
) -> Touched:
    """What new events touch: their ``uses``, runs ``changed`` by them, and these ``before``."""
    both = changed.select("job_id", "created_at").unionByName(before.select("job_id", "created_at"))
    days = sent(both.select("job_id", F.to_date("created_at").alias("day")).distinct(), few=few)
    # An event may speak of another job than the one that its run belongs to.
    told = days.select("job_id").unionByName(uses.select("job_id"))
    rows = compared(tellings(changed), tellings(before)).localCheckpoint()
    jobs = sent(moved(rows, target.read(HABIT), target.read(JOB)), few=few)
    return Touched(
        sent(told.distinct(), few=few),
        jobs.select("job_id"),
        jobs.where("whole").select("job_id"),
        days,
        changed,
        rows,
        uses,
        few,
    )
