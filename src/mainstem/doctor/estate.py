"""The picture that a backend's ``GET /api/v2/estate`` tells."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads it
from typing import TYPE_CHECKING

from msgspec import Raw, Struct
from msgspec.json import Decoder

from mainstem.doctor.picture import Dataset, Job, JobName, Link, Picture
from mainstem.names.dataset import DatasetName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _Name(Struct):
    namespace: str
    name: str


class _Field(Struct):
    name: str
    fields: list[_Field] = []


class _Dataset(Struct, rename="camel"):
    namespace: str
    name: str
    kind: str
    aliases: list[_Name]
    fields: Raw
    former_columns: list[str]


class _Evidence(Struct):
    dataset: int
    evidence: str


class _Columns(Struct):
    dataset: int
    columns: list[str]


class _Job(Struct, rename="camel"):
    namespace: str
    name: str
    integration: str | None
    type: str | None
    streaming: bool
    parent: _Name | None
    state: str | None
    stale: bool
    heartbeat_seconds: float | None
    began_at: datetime | None
    told_at: datetime | None
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...] | None
    evidence: list[_Evidence]
    connector_class: str | None
    unresolved: tuple[str, ...]
    columns_made: frozenset[int]
    columns_read: list[_Columns]


class _Alias(Struct, rename="camel"):
    namespace: str
    name: str | None
    other_namespace: str
    other_name: str | None


class _Estate(Struct, rename="camel"):
    made_at: datetime
    datasets: list[_Dataset]
    jobs: list[_Job]
    aliases: list[_Alias]
    rejected: list[_Alias]


_ESTATES = Decoder(_Estate)
_FIELDS = Decoder(list[_Field])


def read_estate(answer: bytes) -> Picture:
    """The picture in an answer; ``msgspec.DecodeError`` where it is none."""
    said = _ESTATES.decode(answer)
    columns = _ColumnBook()
    return Picture(
        said.made_at,
        tuple(_dataset(one, columns) for one in said.datasets),
        tuple(map(_job, said.jobs)),
        tuple(map(_link, said.aliases)),
        tuple(map(_link, said.rejected)),
    )


class _ColumnBook(dict[bytes, tuple[str, ...]]):
    """Columns by the text that told them: many datasets have the same, which is kept once."""

    def __missing__(self, text: bytes) -> tuple[str, ...]:
        columns = self[text] = tuple(_paths(_FIELDS.decode(text)))
        return columns


def _paths(fields: Iterable[_Field], above: str = "") -> Iterator[str]:
    for one in fields:
        yield above + one.name
        if one.fields:
            yield from _paths(one.fields, f"{above}{one.name}.")


def _dataset(said: _Dataset, columns: _ColumnBook) -> Dataset:
    return Dataset(
        DatasetName(said.namespace, said.name),
        said.kind,
        tuple(DatasetName(one.namespace, one.name) for one in said.aliases),
        columns[bytes(said.fields)],
        frozenset(said.former_columns),
    )


def _job(said: _Job) -> Job:
    return Job(
        name=JobName(said.namespace, said.name),
        integration=said.integration,
        type=said.type,
        streaming=said.streaming,
        parent=said.parent and JobName(said.parent.namespace, said.parent.name),
        state=said.state,
        stale=said.stale,
        heartbeat=said.heartbeat_seconds,
        began=said.began_at,
        told=said.told_at,
        inputs=said.inputs,
        outputs=said.outputs,
        pairs=said.pairs,
        evidence={one.dataset: one.evidence for one in said.evidence},
        connector_class=said.connector_class,
        unresolved=said.unresolved,
        columns_made=said.columns_made,
        columns_read={one.dataset: frozenset(one.columns) for one in said.columns_read},
    )


def _link(said: _Alias) -> Link:
    return Link(said.namespace, said.name, said.other_namespace, said.other_name)
