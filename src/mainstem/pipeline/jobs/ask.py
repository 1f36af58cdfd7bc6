"""The questions that people ask, put to the tables where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.errors import NotFound
from mainstem.names.identity import canonical
from mainstem.names.node_id import NodeKind
from mainstem.pipeline import tables
from mainstem.pipeline.steps import changed as changed_step
from mainstem.pipeline.steps import impact as impact_step
from mainstem.pipeline.steps import orphans as orphans_step
from mainstem.pipeline.steps import stale as stale_step

if TYPE_CHECKING:
    from datetime import datetime

    from pyspark.sql import DataFrame

    from mainstem.names.node_id import NodeId
    from mainstem.pipeline.jobs.target import Target


def impact(target: Target, node: NodeId) -> DataFrame:
    """What lies downstream of a dataset, a job or a column.

    Raises:
        NotFound: when the tables do not know it.
    """
    start = _id_of(target, node)
    if node.kind is NodeKind.DATASET_FIELD:
        return impact_step.column_impact(target.read(tables.COLUMN_EDGE), start, node.parts[2])
    return impact_step.impact(
        target.read(tables.REACHABILITY),
        target.read(tables.JOB),
        target.read(tables.DATASET),
        start,
    )


def orphans(target: Target) -> DataFrame:
    """Datasets that nobody reads."""
    return orphans_step.orphans(
        target.read(tables.FRESHNESS), target.read(tables.DATASET), target.read(tables.JOB)
    )


def stale(target: Target, *, at: datetime, times: float) -> DataFrame:
    """Jobs that no longer run, each by its own rhythm."""
    return stale_step.stale(target.read(tables.RUN), at=at, times=times)


def changed(target: Target, *, since: datetime, until: datetime) -> DataFrame:
    """Schemas that changed in a period, and whom that touches."""
    return changed_step.changed(
        target.read(tables.DATASET_VERSION),
        target.read(tables.EDGE),
        target.read(tables.REACHABILITY),
        since=since,
        until=until,
    )


def _id_of(target: Target, node: NodeId) -> int:
    namespace, name = node.parts[:2]
    if node.kind is NodeKind.JOB:
        named = (F.col("job_namespace") == namespace) & (F.col("job_name") == name)
        found = target.read(tables.JOB).where(named).select("job_id")
    else:
        names = {(namespace, name), tuple(canonical(namespace, name))}
        is_it = F.struct("namespace", "name").isin(
            [F.struct(F.lit(one), F.lit(two)) for one, two in names]
        )
        found = (
            target.read(tables.DATASET)
            .where(is_it)
            .select("dataset_id")
            .unionByName(target.read(tables.ALIAS).where(is_it).select("dataset_id"))
        )
    rows = found.limit(1).collect()
    if not rows:
        raise NotFound(node.kind.value, " ".join(node.parts[:2]))
    return rows[0][0]
