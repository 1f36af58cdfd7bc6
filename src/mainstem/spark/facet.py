"""The run facet ``mainstem_spark``: how far a query is, and what could not be seen."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import attr
from openlineage.client.generated.base import RunFacet

from mainstem.names.signature import facet_schema_url

if TYPE_CHECKING:
    from mainstem.spark.progress import SourceProgress
    from mainstem.spark.runs import Failure, OpenRun


@attr.define
class MainstemSparkRunFacet(RunFacet):
    """Kind of run, query, trigger, batches, positions, watermark, and the limits of the lineage."""

    kind: str
    opaque: list[str]
    notes: list[str]
    applicationId: str | None = None  # noqa: N815
    queryId: str | None = None  # noqa: N815
    queryName: str | None = None  # noqa: N815
    trigger: str | None = None
    batches: int | None = None
    batchId: int | None = None  # noqa: N815
    sources: list[dict[str, Any]] | None = None
    watermark: str | None = None
    errorClass: str | None = None  # noqa: N815

    @staticmethod
    def _get_schema() -> str:
        return facet_schema_url("MainstemSparkRunFacet")


def facet_schema(name: str) -> str:
    """The JSON Schema of a facet of our own, as shipped in the package."""
    return files("mainstem.spark").joinpath("schemas", f"{name}.json").read_text("utf-8")


def spark_facet(
    run: OpenRun, application_id: str | None, failure: Failure | None
) -> MainstemSparkRunFacet:
    """The facet of a run as it stands."""
    identity, activity = run.identity, run.activity
    return MainstemSparkRunFacet(
        kind=identity.kind.value,
        opaque=list(run.picture.opaque),
        notes=list(run.notes),
        applicationId=application_id,
        queryId=identity.query_id,
        queryName=identity.query_name,
        trigger=identity.trigger,
        batches=activity.batches or None,
        batchId=activity.batch_id,
        sources=[_position(source) for source in activity.sources] or None,
        watermark=activity.watermark,
        errorClass=failure.error_class if failure else None,
    )


def _position(source: SourceProgress) -> dict[str, Any]:
    told = {
        "rows": source.rows,
        "offsets": source.offsets,
        "snapshotId": source.snapshot_id,
        "position": source.position,
    }
    return {key: value for key, value in told.items() if value is not None}
