"""What one ingestion saw, connector by connector: told, left out, or not understood and why."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import MainstemError
from mainstem.watch.loop.cluster import Tick
from mainstem.watch.loop.plan import notes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


class ConnectorReport(Struct, frozen=True):
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
    unasked: str | None = None
    """Why its topics could not be asked this time; what was told of it before stands."""


class ClusterReport(Struct, frozen=True):
    """One cluster."""

    name: str
    trouble: str | None
    """Why it could not be read; then nothing is said of its connectors."""

    connectors: tuple[ConnectorReport, ...] = ()

    def count(self, *verdicts: Verdict) -> int:
        """How many connectors came out so."""
        return sum(each.verdict in verdicts for each in self.connectors)


Looks = Mapping[str, Tick | MainstemError]
"""By cluster, one whole look, or why there was none."""

Told = Mapping[str, tuple[str, ...]]
"""What was said of each connector, also of those that are gone."""


def report_of(
    cluster: str, outcome: Tick | MainstemError, told: Told, lets_through: Callable[[str], bool]
) -> ClusterReport:
    """The report of one cluster's look."""
    if not isinstance(outcome, Tick):
        return ClusterReport(cluster, str(outcome))
    entries = (*_seen(cluster, outcome, told, lets_through), *_not_seen(cluster, outcome, told))
    return ClusterReport(cluster, None, tuple(sorted(entries, key=lambda each: each.name)))


def report_of_left(cluster: str, told: Told) -> ClusterReport:
    """The report of a cluster that is not in the recipe any more."""
    gone = (ConnectorReport(cluster, name, Verdict.GONE, told=told[name]) for name in sorted(told))
    return ClusterReport(cluster, None, tuple(gone))


def _seen(
    cluster: str, tick: Tick, told: Told, lets_through: Callable[[str], bool]
) -> Iterator[ConnectorReport]:
    for name, observed in tick.snapshot.connectors.items():
        said = told.get(name, ())
        if name in tick.known:
            yield _known(cluster, tick, observed, said)
            continue
        verdict = Verdict.NOT_PREVIEWED if lets_through(name) else Verdict.LEFT_OUT
        yield ConnectorReport(
            cluster=cluster,
            name=name,
            verdict=verdict,
            type=observed.type,
            connector_class=observed.connector_class,
            state=observed.state.value,
            told=said,
        )


def _known(
    cluster: str, tick: Tick, observed: ObservedConnector, told: tuple[str, ...]
) -> ConnectorReport:
    known = tick.known[observed.name]
    resolution, unasked = known.subject.resolution, known.unasked
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
        notes=notes_of(resolution, unasked),
        unasked=unasked if known.holds else None,
    )


def _not_seen(cluster: str, tick: Tick, told: Told) -> Iterator[ConnectorReport]:
    unsure = dict.fromkeys(tick.unsure, "it was not listed, and the worker does not say it is gone")
    unreadable = {**tick.snapshot.unreadable, **unsure}
    for name, reason in unreadable.items():
        yield ConnectorReport(cluster, name, Verdict.UNREADABLE, reasons=(reason,))
    for name in told.keys() - tick.snapshot.connectors.keys() - unreadable.keys():
        yield ConnectorReport(cluster, name, Verdict.GONE, told=told[name])


def told_of_runs(tick: Tick) -> Told:
    """What was said of each connector's run."""
    told: dict[str, tuple[str, ...]] = {}
    for step in tick.steps:
        said = tuple(each.telling.value for each in step.transitions)
        told[step.connector] = (*told.get(step.connector, ()), *said)
    return told
