"""What one OpenLineage event says, as far as the doctor asks; what is malformed is unsaid."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from mainstem.names.dataset import DatasetName
from mainstem.said.times import from_micros, parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterator

_T = TypeVar("_T")
Facets = dict[str, Raw]
_RANKS = {"START": 0, "RUNNING": 1, "OTHER": 2, "COMPLETE": 3, "ABORT": 4, "FAIL": 5}
_UNTYPED = _RANKS["OTHER"]

Key = tuple[datetime, int, bytes]
"""What orders the events of a run: time, then rank of its type, then a hash of the whole."""


class _Run(Struct, rename="camel"):
    run_id: str
    facets: Facets = {}


class _Job(Struct):
    namespace: str
    name: str
    facets: Facets = {}


class Mention(Struct):
    """A dataset as an event names it."""

    namespace: str
    name: str
    facets: Facets = {}

    @property
    def dataset(self) -> DatasetName:
        """Its name."""
        return DatasetName(self.namespace, self.name)


class Event(Struct, rename="camel"):
    """One event: of a run, or a description of a job or a dataset."""

    event_time: str
    producer: str = ""
    event_type: str | None = None
    job: _Job | None = None
    run: _Run | None = None
    dataset: Mention | None = None
    inputs: list[Mention] | None = None
    outputs: list[Mention] | None = None


class Named(Struct):
    """A dataset or job that a facet names."""

    namespace: str = ""
    name: str = ""
    type: str | None = None
    field: str = ""


class _Field(Struct):
    name: str
    fields: list[_Field] | None = None


class _Schema(Struct):
    fields: list[_Field] | None = None


class _Links(Struct):
    identifiers: list[Named] = []


class _Made(Struct, rename="camel"):
    input_fields: list[Named] = []
    inputs: list[Named] = []


class ColumnLineage(Struct):
    """How columns are made: a ``columnLineage`` facet, or an entry of a ``lineage`` facet."""

    fields: dict[str, _Made] = {}
    dataset: list[Named] = []
    inputs: list[Named] = []
    namespace: str = ""
    name: str = ""
    type: str | None = None

    def sources(self) -> Iterator[Named]:
        """Every column that some column is made from; without a field, the whole dataset."""
        yield from self.dataset
        yield from self.inputs
        for made in self.fields.values():
            yield from made.input_fields
            yield from made.inputs


class _Lineage(Struct):
    entries: list[ColumnLineage] = []


class _Pattern(Struct, rename="camel"):
    event_trigger: str | None = None
    event_content_mode: str | None = None
    window_duration: float | None = None


class JobType(Struct, rename="camel"):
    """What kind of job it is, and how it promised to be told."""

    processing_type: str | None = None
    integration: str | None = None
    job_type: str | None = None
    emission_pattern: _Pattern | None = None


class _Parent(Struct):
    job: Named


class _Registered(Struct, rename="camel"):
    registry_id: int | None = None


class _Edge(Struct):
    input: Named
    output: Named
    evidence: str = ""


class Connector(Struct, rename="camel"):
    """What a Mainstem watcher tells of a connector."""

    connector_class: str | None = None
    unresolved: list[str] = []
    edges: list[_Edge] = []


_EVENTS = Decoder(Event)
_SCHEMAS, _LINKS, _LINEAGES = Decoder(_Schema), Decoder(_Links), Decoder(_Lineage)
_COLUMNS, _JOB_TYPES, _PARENTS = Decoder(ColumnLineage), Decoder(JobType), Decoder(_Parent)
_CONNECTORS, _REGISTERED = Decoder(Connector), Decoder(_Registered)


def read_event(line: bytes) -> tuple[Event, Key] | None:
    """The event in some bytes, and its place in the order of its run; None where it is none."""
    event = _decoded(_EVENTS, line)
    if event is None or (event.job is None and event.dataset is None):
        return None
    try:
        # As the backend reads it: what is finer than a microsecond is cut, not rounded.
        instant = from_micros(parse_instant(event.event_time))
    except (ValueError, OverflowError):
        return None
    rank = _RANKS.get(event.event_type or "", _UNTYPED)
    digest = hashlib.blake2b(line.strip(), digest_size=8).digest()
    return event, (instant, rank, digest)


def columns_of(facets: Facets) -> tuple[str, ...]:
    """The paths of a schema facet's fields."""
    schema = _facet(facets, "schema", _SCHEMAS)
    return () if schema is None else tuple(_paths(schema.fields or []))


def links_of(facets: Facets) -> Iterator[DatasetName]:
    """The other names that a ``symlinks`` facet tells."""
    said = _facet(facets, "symlinks", _LINKS)
    for one in said.identifiers if said else ():
        if one.namespace and one.name:
            yield DatasetName(one.namespace, one.name)


def lineage_of(facets: Facets) -> ColumnLineage | None:
    """How a dataset's columns are made, by its own facet."""
    return _facet(facets, "columnLineage", _COLUMNS) or _facet(facets, "lineage", _COLUMNS)


def entries_of(facets: Facets) -> list[ColumnLineage] | None:
    """The entries of a job's ``lineage`` facet; None where there is no such facet."""
    said = _facet(facets, "lineage", _LINEAGES)
    return None if said is None else [one for one in said.entries if one.type != "JOB"]


def job_type_of(facets: Facets) -> JobType:
    """What kind of job it is."""
    return _facet(facets, "jobType", _JOB_TYPES) or JobType()


def parent_of(facets: Facets) -> Named | None:
    """The job that started this one."""
    said = _facet(facets, "parent", _PARENTS)
    return said.job if said is not None and said.job.name else None


def connector_of(facets: Facets) -> Connector:
    """What a watcher tells of a connector."""
    return _facet(facets, "mainstem_connector", _CONNECTORS) or Connector()


def is_registered(facets: Facets) -> bool:
    """Whether a registry's id stands beside the schema."""
    said = (_facet(facets, name, _REGISTERED) for name in ("schema", "mainstem_schema"))
    return any(one is not None and one.registry_id is not None for one in said)


def _facet(facets: Facets, name: str, decoder: Decoder[_T]) -> _T | None:
    said = facets.get(name)
    return None if said is None else _decoded(decoder, bytes(said))


def _decoded(decoder: Decoder[_T], text: bytes) -> _T | None:
    try:
        return decoder.decode(text)
    except msgspec.DecodeError:  # ValidationError is one
        return None


def _paths(fields: list[_Field], above: str = "") -> Iterator[str]:
    for one in fields:
        yield above + one.name
        yield from _paths(one.fields or [], f"{above}{one.name}.")
