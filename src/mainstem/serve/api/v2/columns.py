"""Columns across the whole path, now or at an instant, and what changed between two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import orjson
from fastapi import Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeId, NodeKind
from mainstem.said.json_values import Json, as_text
from mainstem.serve.api.columns import StoredColumns, column_ids, is_known_column
from mainstem.serve.api.parameters import After, AsOf, Before, Held, NodeText, json_of, node_of
from mainstem.serve.api.past import past_at
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes
from mainstem.serve.graph.columns import walk_columns
from mainstem.serve.graph.walk import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.columns import Column, ColumnsWalked
    from mainstem.sql.connection import Connection

router = router_of("/api/v2", "graph")
Hops = Annotated[int, Query(ge=0, le=1000, description="Hops from column to column.")]
Edge = tuple["Column", "Column"]


@router.get("/columns", response_model=shapes.ColumnGraphShape)
def get_columns(
    backend: Held,
    node: NodeText,
    *,
    direction: Direction = Direction.BOTH,
    depth: Hops = 1000,
    as_of: AsOf = None,
) -> Response:
    """What columns are made from and what is made from them; of a field, a dataset or a job."""
    with backend.read() as connection:
        shown = _Columns(backend, connection, node, direction, depth)
        if as_of is None:
            shown.refuse_unknown()
        walked = shown.at(as_of)
    return json_of(
        {
            "root": node,
            "nodes": shown.nodes(walked.nodes),
            "edges": shown.edges(walked, sorted(walked.edges)),
        }
    )


@router.get("/columns/diff", response_model=shapes.ColumnDifference)
def get_column_difference(
    backend: Held,
    node: NodeText,
    *,
    before: Before,
    after: After = None,
    direction: Direction = Direction.BOTH,
    depth: Hops = 1000,
) -> Response:
    """How columns came to be made otherwise between two instants."""
    with backend.read() as connection:
        shown = _Columns(backend, connection, node, direction, depth)
        old, new = shown.at(before), shown.at(after)
    both = {edge for edge, how in old.edges.items() if new.edges.get(edge) == how}
    return json_of(
        {
            "root": node,
            "nodes": shown.nodes({**old.nodes, **new.nodes}),
            "added": shown.edges(new, sorted(new.edges.keys() - both)),
            "removed": shown.edges(old, sorted(old.edges.keys() - both)),
            "kept": shown.edges(new, sorted(both)),
        }
    )


class _Columns:
    """Column walks from one node, at any instant."""

    def __init__(
        self, backend: Backend, connection: Connection, node: str, direction: Direction, depth: int
    ) -> None:
        self._backend = backend
        self._connection = connection
        self._node, self._number = node_of(backend, node)
        self._direction = direction
        self._depth = depth
        self._resources = Resources(backend, connection)

    def at(self, instant: str | None) -> ColumnsWalked:
        """The columns around the node at an instant, or now."""
        past = past_at(self._backend, self._connection, instant)
        graph = StoredColumns(self._backend, self._connection, self._resources, past)
        return walk_columns(
            graph,
            graph.of_node(self._node, self._number, self._resources),
            self._depth,
            upstream=self._direction is not Direction.DOWNSTREAM,
            downstream=self._direction is not Direction.UPSTREAM,
        )

    def refuse_unknown(self) -> None:
        """Raise where a field is asked for that is not there; it may have been in the past."""
        graph = StoredColumns(self._backend, self._connection, self._resources, None)
        start = graph.of_node(self._node, self._number, self._resources)
        is_field = self._node.kind is NodeKind.DATASET_FIELD
        if is_field and not is_known_column(graph, self._resources, start[0]):
            raise NotFound("Column", self._node.parts[-1])

    def nodes(self, distances: dict[Column, int]) -> list[dict[str, Any]]:
        """Columns, with how far each is."""
        ids = column_ids(self._resources, distances)
        return [
            _node(self._resources.name_of(column[0]), column[1], ids[column], far)
            for column, far in distances.items()
        ]

    def edges(self, walked: ColumnsWalked, edges: Iterable[Edge]) -> list[dict[str, Any]]:
        """Some edges of a walk, with how each column is made."""
        ids = column_ids(self._resources, walked.nodes)
        return [
            {
                "source": ids[source],
                "target": ids[target],
                "transformations": [_step(step) for step in steps],
                "summary": summary(steps),
            }
            for source, target in edges
            if source in ids and target in ids
            for steps in (orjson.loads(walked.edges[source, target]),)
        ]


def summary(transformations: list[dict[str, Any]]) -> str:
    """One word for how a column is made from another: the least harmless of its steps."""
    if any(step.get("masking") is True for step in transformations):
        return "MASKED"
    if transformations and all(step.get("type") == "INDIRECT" for step in transformations):
        return "INDIRECT"
    words = {step.get("subtype") for step in transformations if step.get("type") != "INDIRECT"}
    for word in ("AGGREGATION", "TRANSFORMATION", "IDENTITY"):
        if word in words:
            return word
    return "UNKNOWN"


def _step(said: Json) -> Json:
    """A transformation whose known words have their types; a producer may write anything."""
    masking = said.get("masking")
    words = {name: as_text(said.get(name)) for name in ("type", "subtype", "description")}
    return {**said, **words, "masking": masking if isinstance(masking, bool) else None}


def _node(name: DatasetName, field: str, own: str, far: int) -> dict[str, Any]:
    dataset = str(NodeId(NodeKind.DATASET, (name.namespace, name.name)))
    return {
        "id": own, "dataset": dataset, "namespace": name.namespace, "name": name.name,
        "field": field, "distance": far,
    }  # fmt: skip
