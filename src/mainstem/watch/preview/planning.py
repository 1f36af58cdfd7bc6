"""What a connector will touch, and what speaks against it; pure."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.watch.preview.names import UNKNOWN_KAFKA, is_topic, naming_problems
from mainstem.watch.preview.parties import Party, told_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution


class Kind(StrEnum):
    """What speaks against a plan."""

    ALREADY_WRITTEN = "already-written"
    """Something else writes a dataset that the connector will write."""

    NO_LONGER_WRITTEN = "no-longer-written"
    """The connector writes a dataset today that others read, and will not any more."""

    BROKEN_COLUMN = "broken-column"
    """A column that others are made from will not be written any more."""

    NAMING = "naming"
    UNRESOLVED = "unresolved"


class Finding(Struct, frozen=True):
    """One thing that speaks against it."""

    kind: Kind
    message: str


class CurrentColumn(Struct, frozen=True):
    """A column of a dataset that the connector writes today."""

    dataset: DatasetName
    field: str
    sources: frozenset[DatasetName]
    """The datasets that it is made from."""

    downstream: tuple[tuple[DatasetName, str], ...]
    """The columns that are made from it."""


class Today(Struct, frozen=True):
    """What is known of the world as it is."""

    writers: Mapping[DatasetName, frozenset[Party]] = field(
        default_factory=dict["DatasetName", frozenset[Party]]
    )
    """By dataset, who else writes it."""

    written: frozenset[DatasetName] = frozenset()
    """What the connector itself writes."""

    readers: Mapping[DatasetName, frozenset[Party]] = field(
        default_factory=dict["DatasetName", frozenset[Party]]
    )
    columns: tuple[CurrentColumn, ...] = ()
    job: Party | None = None
    """The backend's job that the connector is today."""

    there: frozenset[DatasetName] = frozenset()
    """What connectors of a live cluster read or write, the connector itself among them."""


class Plan(Struct, frozen=True):
    """What one connector will read and write, and what speaks against it."""

    connector: str
    job: Party | None
    """The backend's job that it was compared with."""

    inputs: tuple[DatasetName, ...]
    outputs: tuple[DatasetName, ...]
    control: tuple[DatasetName, ...]
    findings: tuple[Finding, ...]


def plan_of(connector: Connector, resolution: Resolution, today: Today) -> Plan:
    """The plan, with every finding."""
    others = [dataset for dataset, writers in today.writers.items() if writers]
    there = {*today.there, *others, *today.written}
    findings = (
        *_already_written(resolution, today),
        *_no_longer_written(connector, resolution, today),
        *_broken_columns(resolution, today),
        *(
            Finding(Kind.NAMING, each)
            for each in naming_problems(connector, resolution, others, there)
        ),
        *(Finding(Kind.UNRESOLVED, reason) for reason in resolution.unresolved),
    )
    control = tuple(each.dataset for each in resolution.control)
    return Plan(connector.name, today.job, resolution.inputs, resolution.outputs, control, findings)


def _already_written(resolution: Resolution, today: Today) -> Iterator[Finding]:
    written = {topic.dataset: f", its {topic.kind} topic," for topic in resolution.control}
    for dataset, what in {**written, **dict.fromkeys(resolution.outputs, "")}.items():
        for writer in told_once(today.writers.get(dataset, frozenset())):
            message = f"{_shown(dataset)}{what} is already written by {writer}"
            yield Finding(Kind.ALREADY_WRITTEN, message)


def _no_longer_written(
    connector: Connector, resolution: Resolution, today: Today
) -> Iterator[Finding]:
    if resolution.unresolved:
        return  # what could not be told may well be written
    by_other_names = {link.dataset for links in resolution.symlinks.values() for link in links}
    gone = today.written - {*resolution.outputs, *by_other_names}
    if connector.kafka_namespace == UNKNOWN_KAFKA:
        gone = {dataset for dataset in gone if not is_topic(dataset)}
    for dataset in sorted(gone):
        for reader in told_once(today.readers.get(dataset, frozenset())):
            message = f"{_shown(dataset)} will not be written any more, and {reader} reads it"
            yield Finding(Kind.NO_LONGER_WRITTEN, message)


def _broken_columns(resolution: Resolution, today: Today) -> Iterator[Finding]:
    """Only where the plan knows a dataset's columns, and of columns that come from its inputs."""
    planned: dict[DatasetName, set[str]] = {}
    for column in resolution.columns:
        planned.setdefault(column.output, set()).add(column.field)
    inputs = set(resolution.inputs)
    for column in today.columns:
        kept = planned.get(column.dataset)
        if kept is None or column.field in kept or not column.sources:
            continue
        if column.sources <= inputs:
            for dataset, broken in sorted(column.downstream):
                where = f"{_shown(column.dataset)} column {column.field}"
                message = (
                    f"{where} goes away, and {_shown(dataset)} column {broken} is made from it"
                )
                yield Finding(Kind.BROKEN_COLUMN, message)


def _shown(dataset: DatasetName) -> str:
    return f"{dataset.namespace} {dataset.name}"
