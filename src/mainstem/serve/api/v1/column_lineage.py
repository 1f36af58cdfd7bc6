"""GET /column-lineage: Marquez's graph of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import orjson
from fastapi import APIRouter, Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.api.columns import StoredColumns
from mainstem.serve.api.parameters import Depth, Held, NodeText, json_of, node_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.graph.columns import walk_columns

if TYPE_CHECKING:
    from mainstem.serve.graph.columns import Column, ColumnsWalked, Made
    from mainstem.serve.store.reading import DatasetRow

router = APIRouter(tags=["lineage"])
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
        hops = min(max(depth, 1), MOST_HOPS)
        walked = walk_columns(graph, start, hops, upstream=True, downstream=with_downstream)
        touched = {one for made in walked.made for one in (made[0],)}
        rows = resources.rows_of(touched)
    if node.kind is NodeKind.DATASET_FIELD and not _is_known(start[0], walked, rows):
        raise NotFound("Node", node_id)
    return json_of({"graph": _graph(resources, walked, rows)})


def _is_known(column: Column, walked: ColumnsWalked, rows: dict[int, DatasetRow]) -> bool:
    row = rows.get(column[0])
    return bool(walked.edges) or (row is not None and column[1] in field_types(row))


def field_types(row: DatasetRow) -> dict[str, str | None]:
    """The type of each field of a dataset, nested ones by their path."""
    return dict(_types(orjson.loads(row.fields), ""))


def _types(fields: list[Any], prefix: str) -> list[tuple[str, str | None]]:
    types: list[tuple[str, str | None]] = []
    for field in fields:
        path = prefix + field["name"]
        types += [(path, field["type"]), *_types(field.get("fields", []), path + ".")]
    return types


def column_id(resources: Resources, column: Column) -> str:
    """The node id of a column."""
    name = resources.name_of(column[0])
    return str(NodeId(NodeKind.DATASET_FIELD, (name.namespace, name.name, column[1])))


def _graph(
    resources: Resources, walked: ColumnsWalked, rows: dict[int, DatasetRow]
) -> list[dict[str, Any]]:
    ids = {column: column_id(resources, column) for column in walked.nodes}
    types = {dataset: field_types(row) for dataset, row in rows.items()}
    into: dict[Column, list[str]] = {}
    out_of: dict[Column, list[str]] = {}
    for source, target in walked.edges:
        if source in ids and target in ids:
            into.setdefault(target, []).append(ids[source])
            out_of.setdefault(source, []).append(ids[target])
    graph: list[dict[str, Any]] = []
    for column, text in sorted(ids.items(), key=lambda item: item[1]):
        before, after = sorted(into.get(column, ())), sorted(out_of.get(column, ()))
        kind = types.get(column[0], {}).get(column[1])
        graph.append(
            {
                "id": text,
                "type": "DATASET_FIELD",
                "data": _data(resources, column, walked.made[column], rows, kind),
                "inEdges": [{"origin": one, "destination": text} for one in before],
                "outEdges": [{"origin": text, "destination": one} for one in after],
            }
        )
    return graph


def _data(
    resources: Resources,
    column: Column,
    made: list[Made],
    rows: dict[int, DatasetRow],
    kind: str | None,
) -> dict[str, Any]:
    name = resources.name_of(column[0])
    row = rows.get(column[0])
    first = made[0] if made else None
    words = {
        "transformationDescription": first.description if first else None,
        "transformationType": first.type if first else None,
    }
    inputs = [
        {
            "namespace": resources.name_of(dataset).namespace,
            "dataset": resources.name_of(dataset).name,
            "datasetVersion": _version(rows.get(dataset)),
            "field": field,
            "transformationDescription": one.description,
            "transformationType": one.type,
            "transformations": how,
        }
        for one in made
        for (dataset, field), how in sorted(one.sources.items())
    ]
    return {
        "namespace": name.namespace, "dataset": name.name, "datasetVersion": _version(row),
        "field": column[1], "fieldType": kind or "", **words, "inputFields": inputs,
    }  # fmt: skip


def _version(row: DatasetRow | None) -> str | None:
    return None if row is None else row.version
