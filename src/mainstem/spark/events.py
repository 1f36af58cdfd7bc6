"""One statement about a run becomes one OpenLineage event, as the bytes that will be sent."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import attr
import orjson
from msgspec import Struct
from openlineage.client.event_v2 import Job, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    error_message_run,
    extraction_error_run,
    job_type_job,
    parent_run,
    processing_engine_run,
)
from openlineage.client.serde import Serde

from mainstem import __version__
from mainstem.names.signature import producer_of, sign, timestamp
from mainstem.spark.datasets import inputs_of, lineage_facet, outputs_of
from mainstem.spark.facet import spark_facet
from mainstem.spark.runs import Kind, RunName, Telling

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from openlineage.client.generated.base import JobFacet, RunFacet

    from mainstem.spark.runs import Failure, Identity, Statement

PRODUCER = producer_of("spark")

JOB_TYPES = {
    Kind.APPLICATION: "APPLICATION",
    Kind.STREAM: "STREAMING_QUERY",
    Kind.BATCH: "SQL_JOB",
    Kind.STEP: "STEP",
}


class Application(Struct, frozen=True):
    """All that an event says besides what its run does."""

    namespace: str
    name: str
    heartbeat: timedelta
    spark_version: str | None = None
    application_id: str | None = None
    run_id: str | None = None
    """None where another program tells the application's run."""

    parent: RunName | None = None
    """Who started the application, for instance a task of an orchestrator."""

    root: RunName | None = None
    """Who started that."""


def build(statement: Statement, application: Application) -> bytes:
    """The event, with all inputs and outputs whatever its type."""
    run, picture = statement.run, statement.run.picture
    event = RunEvent(
        eventTime=timestamp(statement.time),
        eventType=RunState(statement.telling.value),
        run=Run(run.identity.run_id, facets=_run_facets(statement, application)),
        job=Job(
            application.namespace, run.identity.job_name, facets=_job_facets(statement, application)
        ),
        inputs=inputs_of(picture, run.activity),
        outputs=outputs_of(picture, run.activity),
    )
    return _bytes(sign(orjson.loads(orjson.dumps(event, default=_plain)), PRODUCER))


def end_from_memory(last_event: bytes, time: datetime, failure: Failure) -> bytes:
    """The terminal event of a run whose process is gone, from the last that was told of it."""
    event = orjson.loads(last_event)
    event["eventType"] = Telling.ABORT.value
    event["eventTime"] = timestamp(time)
    facet = Serde.to_dict(_error_message(failure))
    event["run"]["facets"]["errorMessage"] = {**facet, "_producer": PRODUCER}
    return _bytes(event)


def _plain(thing: Any) -> dict[str, Any]:
    """One object of the client's; its own way to JSON walks over every value in Python."""
    told = ((name, getattr(thing, name)) for name in _fields_of(type(thing)))
    return {name: value for name, value in told if value is not None}


@cache
def _fields_of(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in attr.fields(kind))


def _bytes(event: dict[Any, Any]) -> bytes:
    return orjson.dumps(event, option=orjson.OPT_SORT_KEYS)


def _job_facets(statement: Statement, application: Application) -> dict[str, JobFacet]:
    run = statement.run
    facets: dict[str, JobFacet] = {"jobType": _job_type(run.identity, application)}
    if run.picture.outputs:
        facets["lineage"] = lineage_facet(run.picture)
    return facets


def _job_type(identity: Identity, application: Application) -> job_type_job.JobTypeJobFacet:
    stream = identity.kind is Kind.STREAM
    # A batch is told once it is over, so nobody may wait for its signs of life.
    beats = identity.kind is not Kind.BATCH
    return job_type_job.JobTypeJobFacet(
        processingType="STREAMING" if stream else "BATCH",
        integration="SPARK",
        jobType=JOB_TYPES[identity.kind],
        emissionPattern=job_type_job.EmissionPattern(
            eventTrigger="PERIODIC",
            eventContentMode="COMPLETE_SNAPSHOT",
            windowDuration=max(1, round(application.heartbeat.total_seconds())),
        )
        if beats
        else None,
    )


def _run_facets(statement: Statement, application: Application) -> dict[str, RunFacet]:
    run, failure = statement.run, statement.failure
    facets: dict[str, RunFacet] = {
        "mainstem_spark": spark_facet(run, application.application_id, failure)
    }
    if application.spark_version:
        facets["processing_engine"] = processing_engine_run.ProcessingEngineRunFacet(
            version=application.spark_version, name="spark", openlineageAdapterVersion=__version__
        )
    if parent := _parent_of(run.identity, application):
        facets["parent"] = _parent_facet(parent, application.root or application.parent)
    if failure:
        facets["errorMessage"] = _error_message(failure)
    if run.unread:
        facets["extractionError"] = extraction_error_run.ExtractionErrorRunFacet(
            totalTasks=1,
            failedTasks=1,
            errors=[extraction_error_run.Error(errorMessage=run.unread)],
        )
    return facets


def _parent_of(identity: Identity, application: Application) -> RunName | None:
    if identity.kind is Kind.APPLICATION or application.run_id is None:
        return application.parent
    return RunName(application.namespace, application.name, application.run_id)


def _parent_facet(parent: RunName, root: RunName | None) -> parent_run.ParentRunFacet:
    top = root or parent
    return parent_run.ParentRunFacet(
        run=parent_run.Run(parent.run_id),
        job=parent_run.Job(parent.namespace, parent.job),
        root=parent_run.Root(
            parent_run.RootRun(top.run_id), parent_run.RootJob(top.namespace, top.job)
        ),
    )


def _error_message(failure: Failure) -> error_message_run.ErrorMessageRunFacet:
    return error_message_run.ErrorMessageRunFacet(
        failure.message, failure.language, stackTrace=failure.stack
    )
