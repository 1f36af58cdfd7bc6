"""What a run as a whole reads and writes: the lineage of each of its writes, laid together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.spark.lineage import Dataset, DatasetKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mainstem.spark.lineage import Mode, QueryLineage, Source

Columns = dict[str, tuple["Source", ...]]


class Picture(Struct, frozen=True):
    """All parts of a run in one; which input goes into which output is kept."""

    inputs: tuple[Dataset, ...]
    outputs: tuple[Dataset, ...]
    edges: Mapping[DatasetKey, tuple[DatasetKey, ...]]
    """By output: the inputs of the writes that made it."""

    columns: Mapping[DatasetKey, Mapping[str, tuple[Source, ...]]]
    indirect: Mapping[DatasetKey, tuple[Source, ...]]
    modes: Mapping[DatasetKey, Mode]
    opaque: tuple[str, ...]


def picture_of(parts: Sequence[QueryLineage]) -> Picture:
    """The parts laid together; where two tell the same column, their sources are joined."""
    edges: dict[DatasetKey, dict[DatasetKey, None]] = {}
    columns: dict[DatasetKey, Columns] = {}
    indirect: dict[DatasetKey, tuple[Source, ...]] = {}
    modes: dict[DatasetKey, Mode] = {}
    for part in parts:
        for output in part.outputs:
            read = edges.setdefault(output.key, {})
            read.update((one.key, None) for one in part.inputs)
            if part.mode is not None:
                modes[output.key] = part.mode
        for key, told in part.columns.items():
            known = columns.setdefault(key, {})
            for field, sources in told.items():
                known[field] = _joined(known.get(field, ()), sources)
        for key, sources in part.indirect.items():
            indirect[key] = _joined(indirect.get(key, ()), sources)
    return Picture(
        inputs=_distinct(dataset for part in parts for dataset in part.inputs),
        outputs=_distinct(dataset for part in parts for dataset in part.outputs),
        edges={key: tuple(read) for key, read in edges.items()},
        columns=columns,
        indirect=indirect,
        modes=modes,
        opaque=tuple(dict.fromkeys(name for part in parts for name in part.opaque)),
    )


def _joined(first: tuple[Source, ...], second: tuple[Source, ...]) -> tuple[Source, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _distinct(datasets: Iterable[Dataset]) -> tuple[Dataset, ...]:
    """One per name, in order of first sight; the later one tells fields and other names."""
    found: dict[DatasetKey, Dataset] = {}
    for dataset in datasets:
        known = found.get(dataset.key)
        found[dataset.key] = dataset if known is None else _newer(known, dataset)
    return tuple(found.values())


def _newer(known: Dataset, later: Dataset) -> Dataset:
    return Dataset(
        later.namespace,
        later.name,
        symlinks=tuple(dict.fromkeys((*known.symlinks, *later.symlinks))),
        fields=later.fields or known.fields,
    )
