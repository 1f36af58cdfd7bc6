"""What one ingestion saw, connector by connector: told, left out, or not understood and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mainstem.watch.loop.cluster import Tick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mainstem.errors import MainstemError
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.connect.snapshot import ObservedConnector


class Verdict(StrEnum):
    """How much is known of a connector's lineage."""

    RESOLVED = "resolved"
    PARTLY = "partly resolved"
    UNRESOLVED = "unresolved"
    LEFT_OUT = "left out"
    """``connector_patterns`` does not let it through."""

    NOT_PREVIEWED = "not in the preview"
    UNREADABLE = "unreadable"
    GONE = "gone"
    """An earlier ingestion told of it, and the cluster has it no longer."""


@dataclass(frozen=True, slots=True)
class ConnectorReport:
    """One connector."""

    cluster: str
    name: str
    verdict: Verdict
    type: str | None = None
    connector_class: str | None = None
    state: str | None = None
    inputs: tuple[DatasetName, ...] = ()
    outputs: tuple[DatasetName, ...] = ()
    edges: int = 0
    columns: int = 0
    """Output columns of which it is known what they are made from."""

    told: tuple[str, ...] = ()
    """What was said of its run."""

    reasons: tuple[str, ...] = ()
    """Why it, or a part of it, could not be told."""

    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterReport:
    """One cluster."""

    name: str
    trouble: str | None
    """Why it could not be read; then nothing is said of its connectors."""

    connectors: tuple[ConnectorReport, ...] = ()

    def count(self, *verdicts: Verdict) -> int:
        """How many connectors came out so."""
        return sum(each.verdict in verdicts for each in self.connectors)


def report_of(
    cluster: str, outcome: Tick | MainstemError, lets_through: Callable[[str], bool]
) -> ClusterReport:
    """The report of one cluster's look."""
    if not isinstance(outcome, Tick):
        return ClusterReport(cluster, str(outcome))
    entries = (*_seen(cluster, outcome, lets_through), *_not_seen(cluster, outcome))
    return ClusterReport(cluster, None, tuple(sorted(entries, key=lambda each: each.name)))


def _seen(
    cluster: str, tick: Tick, lets_through: Callable[[str], bool]
) -> Iterator[ConnectorReport]:
    told = _told(tick)
    for name, observed in tick.snapshot.connectors.items():
        if name in tick.known:
            yield _known(cluster, tick, observed, told.get(name, ()))
            continue
        verdict = Verdict.NOT_PREVIEWED if lets_through(name) else Verdict.LEFT_OUT
        yield ConnectorReport(
            cluster, name, verdict, observed.type, observed.connector_class, observed.state.value
        )


def _known(
    cluster: str, tick: Tick, observed: ObservedConnector, told: tuple[str, ...]
) -> ConnectorReport:
    resolution = tick.known[observed.name].subject.resolution
    if not resolution.edges:
        verdict = Verdict.UNRESOLVED
    else:
        verdict = Verdict.PARTLY if resolution.unresolved else Verdict.RESOLVED
    silent = () if resolution.edges or resolution.unresolved else ("nothing tells what it moves",)
    return ConnectorReport(
        cluster=cluster,
        name=observed.name,
        verdict=verdict,
        type=observed.type,
        connector_class=observed.connector_class,
        state=observed.state.value,
        inputs=resolution.inputs,
        outputs=resolution.outputs,
        edges=len(resolution.edges),
        columns=sum(bool(column.sources) for column in resolution.columns),
        told=told,
        reasons=(*resolution.unresolved, *silent),
        notes=resolution.notes,
    )


def _not_seen(cluster: str, tick: Tick) -> Iterator[ConnectorReport]:
    for name, reason in tick.snapshot.unreadable.items():
        yield ConnectorReport(cluster, name, Verdict.UNREADABLE, reasons=(reason,))
    told = _told(tick)
    for step in tick.steps:
        if step.memory is None:
            yield ConnectorReport(
                cluster, step.connector, Verdict.GONE, told=told.get(step.connector, ())
            )


def _told(tick: Tick) -> Mapping[str, tuple[str, ...]]:
    told: dict[str, tuple[str, ...]] = {}
    for step in tick.steps:
        said = tuple(each.telling.value for each in step.transitions)
        told[step.connector] = (*told.get(step.connector, ()), *said)
    return told
