"""The last look at every resolution: in order, without repetition, without a placeholder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mainstem.watch.transforms.settings import holds_placeholder

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import ColumnEdge, Edge, Resolution


def tidy(resolution: Resolution) -> Resolution:
    """The same facts once each and sorted; a dataset whose name holds a placeholder is dropped."""
    inputs = _clean(resolution.inputs)
    outputs = _clean(resolution.outputs)
    known = {*inputs, *outputs}
    dropped = any(one not in known for one in (*resolution.inputs, *resolution.outputs))
    unresolved = dict.fromkeys(resolution.unresolved)
    if dropped:
        unresolved["a name holds a placeholder that nothing provides"] = None
    return replace(
        resolution,
        inputs=inputs,
        outputs=outputs,
        edges=_edges(resolution.edges, known),
        columns=_columns(resolution, known),
        schemas={name: schema for name, schema in resolution.schemas.items() if name in known},
        control=tuple(dict.fromkeys(resolution.control)),
        unresolved=tuple(unresolved),
        notes=tuple(dict.fromkeys(resolution.notes)),
    )


def _clean(datasets: tuple[DatasetName, ...]) -> tuple[DatasetName, ...]:
    return tuple(
        sorted(
            {
                dataset
                for dataset in datasets
                if not holds_placeholder(dataset.namespace) and not holds_placeholder(dataset.name)
            }
        )
    )


def _edges(edges: tuple[Edge, ...], known: set[DatasetName]) -> tuple[Edge, ...]:
    kept = {
        (edge.input, edge.output): edge
        for edge in reversed(edges)
        if edge.input in known and edge.output in known
    }
    return tuple(kept[pair] for pair in sorted(kept))


def _columns(resolution: Resolution, known: set[DatasetName]) -> tuple[ColumnEdge, ...]:
    return tuple(
        column
        for column in resolution.columns
        if column.output in known and all(source.dataset in known for source in column.sources)
    )
