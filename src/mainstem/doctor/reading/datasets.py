"""What events say of datasets, folded: any order and any repetition gives the same."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.picture import Dataset
from mainstem.doctor.reading.said import columns_of, is_registered, links_of
from mainstem.names.identity import Aliases, canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.doctor.reading.said import Key, Mention
    from mainstem.names.dataset import DatasetName
    from mainstem.names.identity import NamespaceAlias

Strength = tuple[bool, bool, "Key"]
"""Whose schema stands: one with a registry's id, then a writer's, then the latest."""

Columns = tuple[str, ...]
_KINDS = {
    "kafka": "TOPIC", "pubsub": "TOPIC", "mqtt": "TOPIC", "kinesis": "STREAM", "sqs": "QUEUE",
    "amqp": "QUEUE", "jms": "QUEUE", "ibmmq": "QUEUE", "http": "ENDPOINT", "https": "ENDPOINT",
    "elasticsearch": "INDEX", "opensearch": "INDEX",
}  # fmt: skip


class DatasetFold:
    """Every dataset that events name, under the names they say."""

    def __init__(self, namespaces: Iterable[NamespaceAlias] = ()) -> None:
        self._namespaces = frozenset(namespaces)
        self._known: set[DatasetName] = set()
        self._links: set[tuple[DatasetName, DatasetName]] = set()
        self._same: dict[Columns, Columns] = {}
        """Columns that many datasets have, kept once."""

        self._schemas: dict[DatasetName, tuple[Strength, Columns]] = {}
        self._versions: defaultdict[DatasetName, dict[tuple[str, Columns], bool]] = defaultdict(
            dict
        )

    def add(self, mention: Mention, key: Key, producer: str, *, written: bool) -> None:
        """Add what one event says of a dataset."""
        name = mention.dataset
        self.know(name)
        self._links.update((name, other) for other in links_of(mention.facets))
        told = columns_of(mention.facets)
        if not told:
            return
        columns = self._same.setdefault(told, told)
        strength = (is_registered(mention.facets), written, key)
        if name not in self._schemas or strength > self._schemas[name][0]:
            self._schemas[name] = (strength, columns)
        versions = self._versions[name]
        version = (producer, columns)
        versions[version] = versions.get(version, False) or written

    def know(self, name: DatasetName) -> None:
        """Add that a dataset is there."""
        self._known.add(name)

    def merged(self) -> tuple[list[Dataset], dict[DatasetName, int]]:
        """The datasets, each once, and the place of each of their names."""
        aliases = Aliases(self._namespaces, self._links)
        groups: defaultdict[DatasetName, set[DatasetName]] = defaultdict(set)
        for name in sorted(self._known | {one for link in self._links for one in link}):
            groups[canonical(*name, aliases)].add(name)
        datasets: list[Dataset] = []
        places: dict[DatasetName, int] = {}
        for chosen, names in groups.items():
            if names & self._known:
                places.update(dict.fromkeys({chosen, *names}, len(datasets)))
                datasets.append(self._dataset(chosen, names))
        return datasets, places

    def _dataset(self, chosen: DatasetName, names: set[DatasetName]) -> Dataset:
        told = [self._schemas[name] for name in names if name in self._schemas]
        columns = max(told)[1] if told else ()
        versions = [pair for name in names for pair in self._versions.get(name, {}).items()]
        voices = {producer for (producer, said), _ in versions if said == columns}
        former = {
            column
            for (producer, said), is_written in versions
            if is_written and producer in voices
            for column in said
        }
        return Dataset(
            chosen,
            _KINDS.get(chosen.namespace.partition(":")[0].lower(), "TABLE"),
            tuple(sorted(names - {chosen})),
            columns,
            frozenset(former - set(columns)),
        )
