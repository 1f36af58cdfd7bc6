"""One transition becomes one OpenLineage event, as the bytes that will be sent."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import orjson
from openlineage.client.event_v2 import Job, JobEvent, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    error_message_run,
    extraction_error_run,
    job_type_job,
    processing_engine_run,
)

from mainstem import __version__
from mainstem.names.signature import timestamp
from mainstem.traces import message_of, summary_of
from mainstem.watch.events.columns import ToldColumns, columns_to_tell, lineage_of
from mainstem.watch.events.connector_facet import connector_facet
from mainstem.watch.events.datasets import inputs_of, outputs_of
from mainstem.watch.events.serialising import as_bytes
from mainstem.watch.events.subject import Subject, trace_of
from mainstem.watch.runs.model import Telling, Transition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openlineage.client.generated.base import JobFacet, RunFacet

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.resolvers.model import Resolution

JOB_TYPES = {"source": "SOURCE_CONNECTOR", "sink": "SINK_CONNECTOR"}


def build(subject: Subject, transition: Transition) -> bytes:
    """The event of one transition, with all inputs and outputs whatever its type."""
    return as_bytes(event_of(subject, transition))


def event_of(subject: Subject, transition: Transition) -> RunEvent | JobEvent:
    """The same as the official client's object."""
    told = columns_to_tell(subject.resolution)
    job = Job(subject.job_namespace, subject.job_name, facets=_job_facets(subject, told))
    shared: dict[str, Any] = {
        "eventTime": timestamp(transition.time),
        "job": job,
        "inputs": inputs_of(subject.resolution, _rows(subject)),
        "outputs": outputs_of(subject.resolution, told, _rows_written(subject)),
    }
    if transition.telling is Telling.JOB:
        return JobEvent(**shared)
    run = Run(cast("str", transition.run_id), facets=_run_facets(subject, transition, told))
    return RunEvent(eventType=RunState(transition.telling.value), run=run, **shared)


def end_from_memory(last_event: bytes, transition: Transition) -> bytes:
    """The terminal event of a connector that is gone, from the last event that was told of it."""
    event = orjson.loads(last_event)
    event["eventType"] = transition.telling.value
    event["eventTime"] = timestamp(transition.time)
    event["run"]["facets"].pop("errorMessage", None)
    event["run"]["facets"].get("mainstem_connector", {}).pop("degraded", None)
    return orjson.dumps(event, option=orjson.OPT_SORT_KEYS)


def _job_facets(subject: Subject, told: ToldColumns) -> dict[str, JobFacet]:
    return {
        "jobType": _job_type(
            JOB_TYPES.get(subject.observed.type, "CONNECTOR"),
            max(1, round(subject.heartbeat.total_seconds())),
        ),
        "lineage": lineage_of(subject.resolution, told),
    }


@lru_cache
def _job_type(job_type: str, seconds: int) -> JobFacet:
    return job_type_job.JobTypeJobFacet(
        processingType="STREAMING",
        integration="KAFKA_CONNECT",
        jobType=job_type,
        emissionPattern=job_type_job.EmissionPattern(
            eventTrigger="PERIODIC",
            eventContentMode="COMPLETE_SNAPSHOT",
            windowDuration=seconds,
        ),
    )


@lru_cache
def _processing_engine(version: str) -> RunFacet:
    return processing_engine_run.ProcessingEngineRunFacet(
        version=version, name="kafka-connect", openlineageAdapterVersion=__version__
    )


def _run_facets(subject: Subject, transition: Transition, told: ToldColumns) -> dict[str, RunFacet]:
    facets: dict[str, RunFacet] = {
        "processing_engine": _processing_engine(subject.worker_version),
        "mainstem_connector": connector_facet(
            subject.observed,
            subject.resolution,
            transition.degraded,
            notes=[*_notes(subject, transition), *told.notes],
            first_record=_first_record(subject),
        ),
    }
    if transition.telling is Telling.FAIL or transition.degraded is not None:
        facets["errorMessage"] = _error_message(subject, transition)
    if subject.resolution.unresolved:
        facets["extractionError"] = _extraction_error(subject.resolution)
    return facets


def _notes(subject: Subject, transition: Transition) -> list[str]:
    """What the resolution notes, and that nothing moves although it runs."""
    notes = list(subject.resolution.notes)
    flow = subject.flow
    if flow and flow.quiet_since and transition.telling is Telling.RUNNING:
        minutes = int((flow.read_at - flow.quiet_since).total_seconds() // 60)
        notes.append(f"RUNNING, but nothing moved for {minutes} minutes")
    return notes


def _rows(subject: Subject) -> Mapping[str, int]:
    """Rows read are known of who reads Kafka: another source's offsets count what it likes."""
    reads_kafka = subject.observed.type == "sink" or _mirrors(subject.observed)
    return subject.flow.rows if subject.flow and reads_kafka else {}


def _rows_written(subject: Subject) -> dict[DatasetName, int]:
    """Rows written are known of MirrorMaker alone, which writes each record it reads, once.

    A sink may drop, merge or overwrite what it read, and so may a transform.
    """
    if not _mirrors(subject.observed) or "transforms" in subject.observed.config:
        return {}
    rows = _rows(subject)
    sources: dict[DatasetName, list[str]] = {}
    for edge in subject.resolution.edges:
        sources.setdefault(edge.output, []).append(edge.input.name)
    return {
        output: rows[inputs[0]]
        for output, inputs in sources.items()
        if len(inputs) == 1 and inputs[0] in rows
    }


def _mirrors(observed: ObservedConnector) -> bool:
    name = observed.connector_class.rpartition(".")[2].removesuffix("Connector")
    return name == "MirrorSource"


def _first_record(subject: Subject) -> str | None:
    seen = subject.flow.first_record if subject.flow else None
    return timestamp(seen) if seen else None


def _error_message(
    subject: Subject, transition: Transition
) -> error_message_run.ErrorMessageRunFacet:
    trace = trace_of(subject.observed)
    if trace is None:
        message = transition.degraded or transition.reason
        return error_message_run.ErrorMessageRunFacet(message, "JAVA")
    shown = trace if subject.whole_traces else summary_of(trace)
    return error_message_run.ErrorMessageRunFacet(message_of(trace), "JAVA", stackTrace=shown)


def _extraction_error(resolution: Resolution) -> extraction_error_run.ExtractionErrorRunFacet:
    return extraction_error_run.ExtractionErrorRunFacet(
        totalTasks=max(1, len(resolution.edges) + len(resolution.unresolved)),
        failedTasks=len(resolution.unresolved),
        errors=[
            extraction_error_run.Error(errorMessage=reason, taskNumber=number)
            for number, reason in enumerate(resolution.unresolved)
        ],
    )
