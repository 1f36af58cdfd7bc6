"""The last look at every resolution: in order, without repetition, without a placeholder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mainstem.watch.transforms.settings import holds_placeholder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import ColumnEdge, ControlTopic, Edge, Resolution
    from mainstem.watch.schema_registry.fields import DatasetSchema


def tidy(resolution: Resolution, own_topics: tuple[ControlTopic, ...] = ()) -> Resolution:
    """The same facts once each and sorted; a dataset whose name holds a placeholder is dropped.

    ``own_topics`` are control topics that are none of the family's business.
    """
    unclean = {
        dataset
        for dataset in (*resolution.inputs, *resolution.outputs)
        if any(map(holds_placeholder, dataset))
    }
    unresolved = dict.fromkeys(resolution.unresolved)
    if unclean:
        unresolved["a name holds a placeholder that nothing provides"] = None
    return replace(
        resolution,
        inputs=_sorted(resolution.inputs, unclean),
        outputs=_sorted(resolution.outputs, unclean),
        edges=_edges(resolution, unclean),
        columns=_columns(resolution, unclean),
        schemas=_schemas(resolution, unclean),
        control=tuple(dict.fromkeys([*resolution.control, *own_topics])),
        unresolved=tuple(unresolved),
        notes=tuple(dict.fromkeys(resolution.notes)),
    )


def _sorted(
    datasets: tuple[DatasetName, ...], unclean: set[DatasetName]
) -> tuple[DatasetName, ...]:
    if len(datasets) <= 1 and not unclean:
        return datasets
    return tuple(sorted(set(datasets) - unclean))


def _edges(resolution: Resolution, unclean: set[DatasetName]) -> tuple[Edge, ...]:
    edges = resolution.edges
    if len(edges) <= 1 and not unclean:
        return edges
    kept = {(edge.input, edge.output): edge for edge in reversed(edges)}
    known = _known(resolution, unclean)
    return tuple(kept[pair] for pair in sorted(kept) if pair[0] in known and pair[1] in known)


def _columns(resolution: Resolution, unclean: set[DatasetName]) -> tuple[ColumnEdge, ...]:
    if not resolution.columns:
        return ()
    known = _known(resolution, unclean)
    return tuple(
        column
        for column in resolution.columns
        if column.output in known and all(source.dataset in known for source in column.sources)
    )


def _schemas(
    resolution: Resolution, unclean: set[DatasetName]
) -> Mapping[DatasetName, DatasetSchema]:
    if not resolution.schemas:
        return resolution.schemas
    known = _known(resolution, unclean)
    return {name: schema for name, schema in resolution.schemas.items() if name in known}


def _known(resolution: Resolution, unclean: set[DatasetName]) -> set[DatasetName]:
    return {*resolution.inputs, *resolution.outputs} - unclean
