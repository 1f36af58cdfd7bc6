"""The run facet ``mainstem_connector``: what was seen, and how each edge is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attr
from openlineage.client.generated.base import RunFacet

from mainstem.names.signature import facet_schema_url

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.resolvers.model import Resolution


@attr.define
class MainstemConnectorRunFacet(RunFacet):
    """Class, version, tasks, config version, and evidence per edge."""

    connectorClass: str  # noqa: N815
    connectorType: str  # noqa: N815
    configVersion: str  # noqa: N815
    tasks: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    control: list[dict[str, str]]
    unresolved: list[str]
    notes: list[str]
    connectorVersion: str | None = None  # noqa: N815
    family: str | None = None
    state: str | None = None
    degraded: str | None = None
    firstRecordSeen: str | None = None  # noqa: N815

    @staticmethod
    def _get_schema() -> str:
        return facet_schema_url("MainstemConnectorRunFacet")


def connector_facet(
    observed: ObservedConnector,
    resolution: Resolution,
    degraded: str | None,
    *,
    notes: list[str],
    first_record: str | None,
) -> MainstemConnectorRunFacet:
    """The facet of one sighting."""
    return MainstemConnectorRunFacet(
        connectorClass=observed.connector_class,
        connectorType=observed.type if observed.type in {"source", "sink"} else "unknown",
        connectorVersion=observed.version,
        family=resolution.family,
        state=observed.state.value,
        configVersion=observed.config_version,
        degraded=degraded,
        tasks=[
            {"id": task.id, "state": task.state.value, "worker": task.worker_id}
            for task in observed.tasks
        ],
        edges=[
            {
                "input": _name(edge.input),
                "output": _name(edge.output),
                "evidence": edge.evidence.value,
            }
            for edge in resolution.edges
        ],
        control=[{**_name(topic.dataset), "kind": topic.kind} for topic in resolution.control],
        unresolved=list(resolution.unresolved),
        notes=notes,
        firstRecordSeen=first_record,
    )


def _name(dataset: DatasetName) -> dict[str, str]:
    return {"namespace": dataset.namespace, "name": dataset.name}
