"""Lineage in the user's own words, checked: datasets as pairs, columns as names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from mainstem.errors import BadRecipe
from mainstem.spark.lineage import Dataset, DatasetKey, QueryLineage, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DatasetWords: TypeAlias = "tuple[str, str]"
"""Namespace and name, as the dataset is called everywhere else."""

ColumnWords: TypeAlias = "Mapping[str, Iterable[tuple[str, str, str]]]"
"""By output column: namespace, name and column of each that it is made from."""

PAIR = "a pair of texts (namespace, name), such as ('kafka://broker:9092', 'orders')"
TRIPLE = "a triple of texts (namespace, name, column)"
DATASET_PARTS, COLUMN_PARTS = 2, 3


def declared_lineage(
    where: str,
    inputs: Iterable[DatasetWords] = (),
    outputs: Iterable[DatasetWords] = (),
    columns: ColumnWords | None = None,
) -> QueryLineage:
    """What the user says, as lineage; columns go to the one output.

    Raises:
        BadRecipe: with every mistake: key, value, and what is allowed.
    """
    mistakes: list[str] = []
    read = tuple(_datasets("inputs", inputs, mistakes))
    written = tuple(_datasets("outputs", outputs, mistakes))
    told = {
        field: tuple(_sources(f"columns[{field!r}]", sources, mistakes))
        for field, sources in (columns or {}).items()
    }
    if told and len(written) != 1:
        mistakes.append(f"columns need exactly one output to belong to; there are {len(written)}")
    known = {one.key for one in read}
    mistakes += [
        f"columns[{field!r}] names {tuple(source.dataset)}, which is not among the inputs"
        for field, sources in told.items()
        for source in sources
        if source.dataset not in known
    ]
    if mistakes:
        raise BadRecipe(where, mistakes)
    return QueryLineage(read, written, columns={written[0].key: told} if told else {})


def _datasets(key: str, told: Iterable[object], mistakes: list[str]) -> Iterable[Dataset]:
    for number, words in enumerate(told):
        parts = _texts(words, DATASET_PARTS)
        if parts is None:
            mistakes.append(f"{key}[{number}] is {words!r}; it must be {PAIR}")
        else:
            namespace, name = parts
            yield Dataset(namespace, name)


def _sources(key: str, told: Iterable[object], mistakes: list[str]) -> Iterable[Source]:
    for number, words in enumerate(told):
        parts = _texts(words, COLUMN_PARTS)
        if parts is None:
            mistakes.append(f"{key}[{number}] is {words!r}; it must be {TRIPLE}")
        else:
            namespace, name, field = parts
            yield Source(DatasetKey(namespace, name), field, "DIRECT", "TRANSFORMATION")


def _texts(words: object, number: int) -> tuple[str, ...] | None:
    if not isinstance(words, (tuple, list)):
        return None
    parts = tuple(cast("Iterable[Any]", words))
    texts = all(isinstance(part, str) and part for part in parts)
    return parts if texts and len(parts) == number else None
