"""One physical thing, one name: aliases are data, and this is the only place that applies them.

The alias set is what the recipe's ``namespaces:``, ``symlinks`` facets and Kafka cluster ids say;
the rules that always hold are in :mod:`mainstem.names.spelling`. An alias that comes late is added
to the set, one that was wrong is taken out, and every answer follows: nothing is remembered.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from mainstem.names.dataset import DatasetName
from mainstem.names.spelling import one_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_T = TypeVar("_T", str, DatasetName)
NamespaceAlias = tuple[str, str]
"""A namespace that is preferred, and another name for it."""

DatasetAlias = tuple[DatasetName, DatasetName]
"""A dataset's preferred name, and another name for it."""


class Aliases:
    """A set of aliases; equal sets answer equally, whatever the order they came in."""

    def __init__(
        self,
        namespaces: Iterable[NamespaceAlias] = (),
        datasets: Iterable[DatasetAlias] = (),
    ) -> None:
        self.namespaces = frozenset(namespaces)
        self.datasets = frozenset(datasets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aliases) and self._data == other._data

    def __hash__(self) -> int:
        return hash(self._data)

    def __or__(self, other: Aliases) -> Aliases:
        return Aliases(self.namespaces | other.namespaces, self.datasets | other.datasets)

    def __sub__(self, other: Aliases) -> Aliases:
        return Aliases(self.namespaces - other.namespaces, self.datasets - other.datasets)

    @property
    def _data(self) -> tuple[frozenset[NamespaceAlias], frozenset[DatasetAlias]]:
        return self.namespaces, self.datasets

    @cached_property
    def namespace_names(self) -> Mapping[str, str]:
        """For each namespace of a group its preferred one."""
        return _preferred(
            (one_spelling(chosen), one_spelling(other)) for chosen, other in self.namespaces
        )

    @cached_property
    def dataset_names(self) -> Mapping[DatasetName, DatasetName]:
        """For each dataset of a group its preferred name, namespaces already made one."""
        return _preferred(
            (self.in_one_namespace(chosen), self.in_one_namespace(other))
            for chosen, other in self.datasets
        )

    def in_one_namespace(self, dataset: DatasetName) -> DatasetName:
        """The dataset with the preferred name of its namespace."""
        namespace = one_spelling(dataset.namespace)
        return DatasetName(self.namespace_names.get(namespace, namespace), dataset.name)


NO_ALIASES = Aliases()


def canonical(namespace: str, name: str, aliases: Aliases = NO_ALIASES) -> DatasetName:
    """The one name of a dataset under a set of aliases.

    >>> aliases = Aliases(namespaces=[("kafka://b1:9092", "kafka://MkU3OEVBNTcwNTJENDM2Qk")])
    >>> canonical("kafka://MkU3OEVBNTcwNTJENDM2Qk", "orders", aliases)
    DatasetName(namespace='kafka://b1:9092', name='orders')
    """
    dataset = aliases.in_one_namespace(DatasetName(namespace, name))
    return aliases.dataset_names.get(dataset, dataset)


def _preferred(pairs: Iterable[tuple[_T, _T]]) -> dict[_T, _T]:
    """For every member of every connected group, the name the group goes by.

    That is the least of the names which are preferred somewhere and an alias nowhere, or, where
    the aliases run in a circle, the least of all: the same for any order of the pairs.
    """
    known = {(chosen, other) for chosen, other in pairs if chosen != other}
    aliases = {other for _, other in known}
    answer: dict[_T, _T] = {}
    for group in _groups(known):
        roots = [member for member in group if member not in aliases]
        chosen = min(roots or group)
        answer.update(dict.fromkeys(group, chosen))
    return answer


def _groups(pairs: set[tuple[_T, _T]]) -> list[set[_T]]:
    neighbours: dict[_T, set[_T]] = {}
    for one, other in pairs:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    groups: list[set[_T]] = []
    unvisited = set(neighbours)
    while unvisited:
        group: set[_T] = set()
        edge_of_group = {unvisited.pop()}
        while edge_of_group:
            group |= edge_of_group
            edge_of_group = set[_T]().union(*map(neighbours.__getitem__, edge_of_group)) - group
        groups.append(group)
        unvisited -= group
    return groups
