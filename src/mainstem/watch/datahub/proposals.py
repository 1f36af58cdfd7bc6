"""A connector as DataHub's metadata change proposals: its flow, its jobs, their lineage.

They are written as the SDK's own wrapper would write them, which the tests check; its model takes
ten times as long for each, and longer to load than a hundred connectors take altogether.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mainstem.watch.connect.showing import shown_config
from mainstem.watch.datahub.jobs import Job, jobs_of
from mainstem.watch.datahub.naming import field_urn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.datahub.naming import Naming
    from mainstem.watch.resolvers.model import ColumnEdge, Resolution

Proposal = dict[str, Any]
"""As DataHub's file sink writes it: entityUrn, aspectName, aspect."""


def proposals_of(
    observed: ObservedConnector, resolution: Resolution, naming: Naming
) -> tuple[Proposal, ...]:
    """Everything that is told of one connector."""
    kind = observed.type.capitalize()
    flow = {
        "customProperties": shown_config(observed.config),
        "name": observed.name,
        "description": f"{kind} connector using `{observed.connector_class}` plugin.",
    }
    urn = naming.flow_urn(observed.name)
    jobs = jobs_of(observed, resolution, naming)
    return (
        _proposal(urn, "dataFlowInfo", flow),
        existence_of(urn),
        *(
            proposal
            for job in jobs
            for proposal in _proposals_of_job(observed.name, job, resolution, naming)
        ),
    )


def existence_of(urn: str, *, removed: bool = False) -> Proposal:
    """That an entity is there, or, softly, no longer."""
    return _proposal(urn, "status", {"removed": removed})


def _proposals_of_job(
    connector: str, job: Job, resolution: Resolution, naming: Naming
) -> Iterator[Proposal]:
    urn = naming.job_urn(connector, job.id)
    info = {
        "customProperties": {},
        "name": f"{connector}:{job.id}",
        "type": {"string": "COMMAND"},
    }
    yield _proposal(urn, "dataJobInfo", info)
    lineage: dict[str, Any] = {
        "inputDatasets": [naming.dataset_urn(connector, job.input)] if job.input else [],
        "outputDatasets": [naming.dataset_urn(connector, job.output)] if job.output else [],
    }
    if columns := list(_columns(connector, job, resolution, naming)):
        lineage["fineGrainedLineages"] = columns
    yield _proposal(urn, "dataJobInputOutput", lineage)
    yield existence_of(urn)


def _columns(
    connector: str, job: Job, resolution: Resolution, naming: Naming
) -> Iterator[dict[str, Any]]:
    for column in resolution.columns:
        fields = _fields_from(column, job)
        if not fields or job.input is None or job.output is None:
            continue
        upstream = naming.dataset_urn(connector, job.input)
        downstream = naming.dataset_urn(connector, job.output)
        yield {
            "upstreamType": "FIELD_SET",
            "upstreams": [field_urn(upstream, field) for field in fields],
            "downstreamType": "FIELD",
            "downstreams": [field_urn(downstream, column.field)],
            "confidenceScore": 1.0,
        }


def _fields_from(column: ColumnEdge, job: Job) -> list[str]:
    if column.output != job.output:
        return []
    return [each.field for each in column.sources if each.direct and each.dataset == job.input]


def _proposal(urn: str, name: str, aspect: dict[str, Any]) -> Proposal:
    return {
        "entityType": urn.split(":", 3)[2],
        "entityUrn": urn,
        "changeType": "UPSERT",
        "aspectName": name,
        "aspect": {"json": aspect},
    }
