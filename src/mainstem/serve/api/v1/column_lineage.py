"""GET /column-lineage: Marquez's graph of columns."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

from fastapi import Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeKind, before_field, field_text
from mainstem.said.json_values import brief_json
from mainstem.serve.api.columns import StoredColumns, field_types, is_known_column
from mainstem.serve.api.parameters import Depth, Held, JsonBytes, NodeText, node_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.spelling import graph_node, joined_graph
from mainstem.serve.graph.columns import walk_columns

if TYPE_CHECKING:
    from mainstem.serve.graph.columns import Column, ColumnsWalked, Made
    from mainstem.serve.store.reading import DatasetRow

router = router_of("/api/v1", "lineage")
MOST_HOPS = 1000


@router.get("/column-lineage")
def get_column_lineage(
    backend: Held,
    node_id: Annotated[NodeText, Query(alias="nodeId")],
    depth: Depth = 20,
    with_downstream: Annotated[bool, Query(alias="withDownstream")] = False,
) -> Response:
    """Where the columns of a dataset, a job's outputs or one field come from."""
    node, number = node_of(backend, node_id)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        graph = StoredColumns(backend, connection, resources, None)
        start = graph.of_node(node, number, resources)
        if node.kind is NodeKind.DATASET_FIELD and not is_known_column(graph, resources, start[0]):
            raise NotFound("Node", node_id)
        hops = min(max(depth, 1), MOST_HOPS)
        walked = walk_columns(graph, start, hops, upstream=True, downstream=with_downstream)
        rows = resources.rows_of({dataset for dataset, _ in walked.nodes})
    return JsonBytes(joined_graph(_Shown(resources, rows).graph(walked)))


class _Texts(dict[str, bytes]):
    """Texts as JSON, each written once: columns have names and types in common."""

    def __missing__(self, text: str) -> bytes:
        written = self[text] = brief_json(text)
        return written


class _Beginnings(dict[int, bytes]):
    """What the ids of a dataset's columns begin with, as JSON."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def __missing__(self, dataset: int) -> bytes:
        name = self._resources.name_of(dataset)
        written = self[dataset] = brief_json(before_field(name.namespace, name.name))[:-1]
        return written


class _Endings(dict[str, bytes]):
    """What the ids of columns of one name end with, as JSON."""

    def __missing__(self, field: str) -> bytes:
        written = self[field] = brief_json(field_text("", field))[1:]
        return written


class _Shown:
    """Columns as Marquez shows them; what they share is written once."""

    def __init__(self, resources: Resources, rows: dict[int, DatasetRow]) -> None:
        self._resources = resources
        self._rows = rows
        types = {dataset: field_types(row) for dataset, row in rows.items()}
        self._types: defaultdict[int, dict[str, str | None]] = defaultdict(dict, types)
        self._datasets: dict[int, bytes] = {}
        self._columns: dict[Column, bytes] = {}
        self._texts = _Texts()

    def graph(self, walked: ColumnsWalked) -> list[bytes]:
        """Every column that a walk found, with the edges between them, by id."""
        before, after = _Beginnings(self._resources), _Endings()
        ids = {column: before[column[0]] + after[column[1]] for column in walked.nodes}
        into: defaultdict[Column, list[bytes]] = defaultdict(list)
        out_of: defaultdict[Column, list[bytes]] = defaultdict(list)
        for source, target in walked.edges:
            if source in ids and target in ids:
                into[target].append(ids[source])
                out_of[source].append(ids[target])
        return [
            graph_node(
                own,
                b"DATASET_FIELD",
                self._data(column, walked.made[column]),
                sorted(into.get(column, ())),
                sorted(out_of.get(column, ())),
            )
            for column, own in sorted(ids.items(), key=itemgetter(1))
        ]

    def _data(self, column: Column, made: list[Made]) -> list[bytes]:
        kind = self._types[column[0]].get(column[1])
        first = _words(made[0].description, made[0].type) if made else _NO_WORDS
        told = [self._named(column), b',"fieldType":', self._texts[kind or ""], first]
        before = b',"inputFields":[{'
        for one in made:
            listed = sorted(one.sources.items()) if len(one.sources) > 1 else one.sources.items()
            words = _words(one.description, one.type)
            for source, steps in listed:
                told += before, self._named(source), words, b',"transformations":', steps
                before = b"},{"
        told.append(b"}]" if before == b"},{" else b',"inputFields":[]')
        return told

    def _named(self, column: Column) -> bytes:
        """A column's dataset and field, which those made from it show too."""
        written = self._columns.get(column)
        if written is None:
            written = b'%b,"field":%b' % (self._dataset(column[0]), self._texts[column[1]])
            self._columns[column] = written
        return written

    def _dataset(self, leader: int) -> bytes:
        written = self._datasets.get(leader)
        if written is None:
            name, row = self._resources.name_of(leader), self._rows.get(leader)
            version = None if row is None else row.version
            said = {"namespace": name.namespace, "dataset": name.name, "datasetVersion": version}
            written = self._datasets[leader] = brief_json(said)[1:-1]
        return written


_NO_WORDS = b',"transformationDescription":null,"transformationType":null'


def _words(description: str | None, kind: str | None) -> bytes:
    """Marquez's two words on how a column is made."""
    if description is None and kind is None:
        return _NO_WORDS
    said = {"transformationDescription": description, "transformationType": kind}
    return b"," + brief_json(said)[1:-1]
