"""What a build that goes on from an earlier one has to make again, and what may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.sql import Observation
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import CONTENT, HABIT, USE
from mainstem.pipeline.steps.edges import compared, jobs_of, judged, tellings
from mainstem.pipeline.steps.jobs import recognized
from mainstem.pipeline.steps.news import with_news
from mainstem.pipeline.tables import JOB, JOB_VERSION

if TYPE_CHECKING:
    from datetime import date

    from pyspark.sql import DataFrame

    from mainstem.pipeline.jobs.target import Target


UNRECOGNIZED = "version is null and (is_new or late)"
"""Of runs: that no version of their job is known to be theirs, and one has to be named."""


BEGAN_ON = "array_union(collect_set(to_date(now.created_at)), collect_set(to_date(was.created_at)))"


class Touched(NamedTuple):
    """Small tables: what the new events speak of, and no more; a row may stand there repeatedly."""

    uses: DataFrame
    """What the new events use, and what of it is news."""

    told: DataFrame
    """What runs tell that something was told of, compared with what they told before."""

    has: dict[str, int]
    """How many of them there are, by kind: what was ``counted``."""

    began_on: list[date]
    """Every day that such runs began on, now or before."""

    few: bool
    """Whether all of it may go to every worker."""

    @property
    def moved(self) -> DataFrame:
        """Jobs whose edges may have moved."""
        return self.hinted(jobs_of(self.told.where("moves")))

    @property
    def whole(self) -> DataFrame:
        """Those of them whose edges follow from all their runs; those of the others go on."""
        return self.hinted(jobs_of(self.told.where("whole")))

    @property
    def retold(self) -> DataFrame:
        """Jobs of which more may have changed than times and runs."""
        return self.hinted(self.uses.where("job_is_news").select("job_id").unionByName(self.whole))

    @property
    def days(self) -> DataFrame:
        """Jobs and which of these days are theirs."""
        now, was = (
            self.told.select(f"{one}.job_id", F.to_date(f"{one}.created_at").alias("day"))
            for one in ("now", "was")
        )
        return self.hinted(now.unionByName(was.where(F.col("job_id").isNotNull())))

    def hinted(self, rows: DataFrame) -> DataFrame:
        """Rows that go to every worker where all that is touched is few."""
        return F.broadcast(rows) if self.few else rows


def sent(rows: DataFrame, *, few: bool) -> DataFrame:
    """Rows that are made once and, where they are few, go to every worker."""
    rows = rows.localCheckpoint()
    return F.broadcast(rows) if few else rows


def counted(rows: DataFrame, *, few: bool, **conditions: str) -> tuple[DataFrame, dict[str, int]]:
    """Rows that are ``sent``, and of how many each condition is true."""
    return observed(rows, few=few, **{name: f"count_if({one})" for name, one in conditions.items()})


def observed(rows: DataFrame, *, few: bool, **sums: str) -> tuple[DataFrame, dict[str, Any]]:
    """Rows that are ``sent``, and some sums of them: to ask for these afterwards is a job each."""
    seen = Observation()
    told = rows.observe(seen, *[F.expr(one).alias(name) for name, one in sums.items()])
    return sent(told, few=few), seen.get


def used_by(target: Target, uses: DataFrame, *, few: bool) -> tuple[DataFrame, dict[str, int]]:
    """What new events use, and how many of these uses are news, by kind."""
    before, contents, jobs = (target.read(one) for one in (USE, CONTENT, JOB))
    rows = with_news(uses, before, contents, jobs, few=few)
    return counted(
        rows, few=few, unknown="not is_known", is_news="is_news",
        columns_are_news="columns_are_news", job_is_news="job_is_news",
    )  # fmt: skip


def touched_by(
    target: Target,
    changed: DataFrame,
    before: DataFrame,
    *,
    uses: DataFrame,
    news: dict[str, int],
    few: bool,
) -> Touched:
    """What new events touch: runs ``changed`` by them, these ``before``, and what they use."""
    rows = compared(tellings(changed, "state"), tellings(before))
    rows = judged(rows, target.read(HABIT), target.read(JOB))
    rows = recognized(rows, target.read(JOB_VERSION))
    told, ran = observed(
        rows, few=False, moves="count_if(moves)", whole="count_if(whole)",
        unrecognized=f"count_if({UNRECOGNIZED})", days=BEGAN_ON,
    )  # fmt: skip
    days = ran.pop("days")
    return Touched(uses, told, {**news, **ran}, days, few)
