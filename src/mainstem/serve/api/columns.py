"""Column lineage from the store, as the walks ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.graph.columns import Column, Made
from mainstem.serve.store.datasets import load_columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.api.resources import Resources
    from mainstem.serve.store.datasets import Columns
    from mainstem.sql.connection import Connection


class StoredColumns:
    """The columns of the current edges; what a job said of a former output is old."""

    def __init__(self, backend: Backend, connection: Connection, resources: Resources) -> None:
        self._backend = backend
        self._connection = connection
        self._identities = resources.identities

    def made(self, datasets: Iterable[int]) -> dict[int, dict[str, list[Made]]]:
        """How each column of some datasets is made, by dataset and field."""
        members = [one for leader in datasets for one in self._identities.members(leader)]
        found: dict[int, dict[str, list[Made]]] = {}
        for columns in load_columns(self._connection, members):
            if self._is_current(columns):
                fields = found.setdefault(self._identities.leader(columns.dataset_id), {})
                for name, made in self._read(columns).items():
                    fields.setdefault(name, []).append(made)
        return found

    def derived(self, dataset: int) -> Iterable[int]:
        """The datasets that have columns made from this one."""
        targets = self._backend.index.column_targets
        members = self._identities.members(dataset)
        found = {target for member in members for target in targets.get(member, ())}
        return sorted({self._identities.leader(one) for one in found})

    def _is_current(self, columns: Columns) -> bool:
        job = columns.job_id
        return job == 0 or columns.dataset_id in self._backend.index.reach(job).outputs

    def _read(self, columns: Columns) -> dict[str, Made]:
        said: dict[str, Any] = orjson.loads(columns.facet or b"{}")
        whole = self._sources(said["dataset"])
        made: dict[str, Made] = {}
        for name, how in said["fields"].items():
            made[name] = Made(
                sources={**whole, **self._sources(how["inputFields"])},
                description=how.get("transformationDescription"),
                type=how.get("transformationType"),
                job=columns.job_id,
            )
        return made

    def _sources(self, said: list[dict[str, Any]]) -> dict[Column, list[dict[str, Any]]]:
        found: dict[Column, list[dict[str, Any]]] = {}
        for one in said:
            name = DatasetName(one["namespace"], one["name"])
            leader = self._identities.find(name, self._backend.catalog.datasets)
            if leader is not None and one["field"]:
                found[leader, one["field"]] = one.get("transformations", [])
        return found


def columns_of_node(
    node: NodeId, number: int, graph: StoredColumns, resources: Resources
) -> list[Column]:
    """The columns that a node id speaks of: one field, a dataset's, or those a job makes."""
    if node.kind is NodeKind.DATASET_FIELD:
        return [(number, node.parts[2])]
    datasets = resources.view.outputs(number) if node.kind is NodeKind.JOB else (number,)
    columns: set[Column] = set()
    for dataset, fields in graph.made(datasets).items():
        columns |= {(dataset, name) for name in fields}
    if node.kind is NodeKind.DATASET:
        row = resources.rows_of([number]).get(number)
        columns |= {(number, one["name"]) for one in orjson.loads(row.fields if row else b"[]")}
    return sorted(columns)
