"""Which jobs a connector has in DataHub: one per thing it reads, or per pair where it splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.names.platforms import platform_of
from mainstem.watch.datahub.naming import Naming, name_in_datahub

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.resolvers.model import Resolution

UNKNOWN_SOURCE = "unknown_source"


class Job(Struct, frozen=True):
    """One job: what it is called below its flow, and what it reads and writes."""

    id: str
    input: DatasetName | None
    output: DatasetName | None


def jobs_of(observed: ObservedConnector, resolution: Resolution, naming: Naming) -> tuple[Job, ...]:
    """The connector's jobs, each id once."""
    jobs = {job.id: job for job in _jobs(observed, resolution, naming)}
    return tuple(jobs.values())


def _jobs(observed: ObservedConnector, resolution: Resolution, naming: Naming) -> Iterator[Job]:
    outputs_of: dict[str, set[DatasetName]] = {}
    for edge in resolution.edges:
        outputs_of.setdefault(name_in_datahub(edge.input), set()).add(edge.output)
    for edge in resolution.edges:
        source = name_in_datahub(edge.input)
        instance = _instance_in_id(observed, edge.input, naming)
        if instance is not None:
            yield Job(f"{instance}.{source}", edge.input, edge.output)
        elif len(outputs_of[source]) > 1:
            yield Job(f"{source}.{name_in_datahub(edge.output)}", edge.input, edge.output)
        else:
            yield Job(source, edge.input, edge.output)
    read, written = {edge.input for edge in resolution.edges}, {e.output for e in resolution.edges}
    for dataset in resolution.inputs:
        if dataset not in read:
            yield Job(name_in_datahub(dataset), dataset, None)
    for dataset in resolution.outputs:
        if dataset not in written:
            yield Job(f"{UNKNOWN_SOURCE}.{name_in_datahub(dataset)}", None, dataset)


def _instance_in_id(observed: ObservedConnector, source: DatasetName, naming: Naming) -> str | None:
    """DataHub keeps old ids of JDBC and Debezium jobs alive, which had the instance in them."""
    is_old = "JdbcSourceConnector" in observed.connector_class or (
        observed.connector_class.startswith("io.debezium.connector")
    )
    if observed.type != "source" or not is_old:
        return None
    return naming.own_instance_of(observed.name, platform_of(source.namespace))
