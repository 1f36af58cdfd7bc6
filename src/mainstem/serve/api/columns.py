"""Column lineage from the store, as the walks ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import orjson
from msgspec import Raw, Struct
from msgspec.json import Decoder

from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeId, NodeKind, before_field, field_text
from mainstem.serve.graph.columns import Column, Made, walk_columns
from mainstem.serve.store.datasets import derived_datasets, load_column_facets, load_columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.api.resources import Resources
    from mainstem.serve.graph.columns import Steps
    from mainstem.serve.graph.identities import Identities
    from mainstem.serve.store.datasets import Columns
    from mainstem.serve.store.reading import DatasetRow
    from mainstem.sql.connection import Connection


_NO_STEPS = Raw(b"[]")


class _Source(Struct):
    """Where a column comes from, in the shape of ``model.columns``."""

    namespace: str
    name: str
    field: str
    transformations: Raw = _NO_STEPS


class _Field(Struct, rename="camel"):
    input_fields: list[_Source]
    transformation_description: str | None = None
    transformation_type: str | None = None


class _Facet(Struct):
    fields: dict[str, _Field]
    dataset: list[_Source]


_FACETS = Decoder(_Facet)


class Past(Protocol):
    """Which column lineage was valid at an instant."""

    def columns(self, members: list[int]) -> list[Columns]:
        """What the jobs that wrote some datasets then had told of their columns."""
        ...

    def outputs(self, job: int) -> tuple[int, ...]:
        """The datasets that a job wrote then."""
        ...


class _Leaders(dict[tuple[str, str], int | None]):
    """The dataset of a name, looked for once: most columns are made from few datasets."""

    def __init__(self, identities: Identities, known: dict[DatasetName, int]) -> None:
        self._identities = identities
        self._known = known

    def __missing__(self, name: tuple[str, str]) -> int | None:
        leader = self[name] = self._identities.find(DatasetName(*name), self._known)
        return leader


class StoredColumns:
    """Columns as they stood in a graph; what a job said of a former output is old."""

    def __init__(
        self, backend: Backend, connection: Connection, resources: Resources, past: Past | None
    ) -> None:
        self._backend = backend
        self._connection = connection
        self._identities = resources.identities
        self._past = past
        self._leaders = _Leaders(self._identities, backend.catalog.datasets)

    def made(self, datasets: Iterable[int]) -> dict[int, dict[str, list[Made]]]:
        """How each column of some datasets is made, by dataset and field."""
        members = [one for leader in datasets for one in self._identities.members(leader)]
        found: dict[int, dict[str, list[Made]]] = {}
        for columns, facet in self._told(members):
            fields = found.setdefault(self._identities.leader(columns.dataset_id), {})
            for name, made in self._read(columns, facet).items():
                fields.setdefault(name, []).append(made)
        return found

    def derived(self, datasets: Iterable[int]) -> set[int]:
        """The datasets that may have columns made from these."""
        members = [one for leader in datasets for one in self._identities.members(leader)]
        found = derived_datasets(self._connection, members)
        return set(map(self._identities.leader, found))

    def _told(self, members: list[int]) -> list[tuple[Columns, bytes]]:
        if self._past is not None:
            told = self._past.columns(members)
            facets = load_column_facets(self._connection, {one.digest for one in told})
            return [(one, facets[one.digest]) for one in told]
        told = load_columns(self._connection, members)
        return [(one, facet) for one, facet in told if self._is_current(one)]

    def _is_current(self, columns: Columns) -> bool:
        job = columns.job_id
        return job == 0 or columns.dataset_id in self._backend.index.reach(job).outputs

    def _read(self, columns: Columns, facet: bytes) -> dict[str, Made]:
        said = _FACETS.decode(facet)
        whole = self._sources(said.dataset)
        job = columns.job_id
        made: dict[str, Made] = {}
        for name, how in said.fields.items():
            own = self._sources(how.input_fields)
            sources = whole | own if whole else own
            made[name] = Made(sources, how.transformation_description, how.transformation_type, job)
        return made

    def _sources(self, said: list[_Source]) -> dict[Column, Steps]:
        found: dict[Column, Steps] = {}
        for one in said:
            leader = self._leaders[one.namespace, one.name]
            if leader is not None and one.field:
                found[leader, one.field] = bytes(one.transformations)
        return found

    def of_node(self, node: NodeId, number: int, resources: Resources) -> list[Column]:
        """The columns that a node id speaks of: one field, a dataset's, or those a job makes."""
        if node.kind is NodeKind.DATASET_FIELD:
            return [(number, node.parts[2])]
        graph = resources.view if self._past is None else self._past
        datasets = graph.outputs(number) if node.kind is NodeKind.JOB else (number,)
        columns: set[Column] = set()
        for dataset, fields in self.made(datasets).items():
            columns |= {(dataset, name) for name in fields}
        if node.kind is NodeKind.DATASET:
            row = resources.rows_of([number]).get(number)
            columns |= {(number, one["name"]) for one in orjson.loads(row.fields if row else b"[]")}
        return sorted(columns)


def column_ids(resources: Resources, columns: Iterable[Column]) -> dict[Column, str]:
    """The node ids of columns."""
    before = _Before(resources)
    return {column: field_text(before[column[0]], column[1]) for column in columns}


class _Before(dict[int, str]):
    """What the ids of a dataset's columns begin with, spelled once per dataset."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def __missing__(self, dataset: int) -> str:
        name = self._resources.name_of(dataset)
        text = self[dataset] = before_field(name.namespace, name.name)
        return text


def is_known_column(graph: StoredColumns, resources: Resources, column: Column) -> bool:
    """Whether a dataset's schema has a column, or it is made from others or others from it."""
    row = resources.rows_of([column[0]]).get(column[0])
    if row is not None and column[1] in field_types(row):
        return True
    return bool(walk_columns(graph, [column], 1, upstream=True, downstream=True).edges)


def field_types(row: DatasetRow) -> dict[str, str | None]:
    """The type of each field of a dataset, nested ones by their path."""
    fields = orjson.loads(row.fields)
    if b'"fields":[' not in row.fields:
        return {one["name"]: one["type"] for one in fields}
    return dict(_types(fields, ""))


def _types(fields: list[Any], prefix: str) -> list[tuple[str, str | None]]:
    types: list[tuple[str, str | None]] = []
    for field in fields:
        path = prefix + field["name"]
        types += [(path, field["type"]), *_types(field.get("fields", []), path + ".")]
    return types
