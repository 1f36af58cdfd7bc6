"""Searching, for Marquez's endpoint and for ours: names in memory, the rest in the store."""

from __future__ import annotations

from functools import cached_property
from heapq import merge
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.store.search import INDEXED_FROM, find_beyond_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.said.event import JobName
    from mainstem.serve.api.backend import Backend
    from mainstem.sql.connection import Connection


class FoundNode(NamedTuple):
    """A job or dataset that was found."""

    is_job: bool
    number: int
    namespace: str
    name: str

    @property
    def node_id(self) -> str:
        """Its node id."""
        kind = NodeKind.JOB if self.is_job else NodeKind.DATASET
        return str(NodeId(kind, (self.namespace, self.name)))


class Found(Struct):
    """What was found; times are read only where they are needed."""

    nodes: list[FoundNode]
    """Those that were asked for: a page, or all."""

    total: int
    updated: dict[tuple[bool, int], int] = field(default_factory=dict[tuple[bool, int], int])

    def read_times(self, backend: Backend) -> None:
        """Read when the nodes were last spoken of."""
        with backend.read() as connection:
            for is_job, table in ((True, "job"), (False, "dataset")):
                rows = connection.among(
                    f"SELECT id, updated FROM {table} WHERE id {{among}}",  # noqa: S608 - two words
                    [one.number for one in self.nodes if one.is_job is is_job],
                )
                self.updated.update(((is_job, number), updated) for number, updated in rows)

    def keep_updated_between(self, since: int | None, until: int | None) -> None:
        """Leave out what was last spoken of at another time."""
        self.nodes = [
            one
            for one in self.nodes
            if (since is None or self._time(one) >= since)
            and (until is None or self._time(one) < until)
        ]
        self.total = len(self.nodes)

    def sort_by_update(self) -> None:
        """Put the last updated first."""
        self.nodes.sort(key=lambda one: (-self._time(one), one.name, one.namespace))

    def _time(self, one: FoundNode) -> int:
        return self.updated.get((one.is_job, one.number), 0)


class Wanted(Struct, frozen=True):
    """What is looked for, and which part of it."""

    word: str
    is_job: bool | None = None
    namespace: str | None = None
    names_only: bool = False
    """Whether columns, tags, owners and namespaces are left out."""

    offset: int = 0
    limit: int | None = None
    """How many; all of them if None."""


def find_nodes(backend: Backend, wanted: Wanted) -> Found:
    """Jobs and datasets that hold a word: in names that begin with it, in names, then elsewhere."""
    search = _Search(backend, wanted)
    end = None if wanted.limit is None else wanted.offset + wanted.limit
    if wanted.limit is None or wanted.namespace is not None or backend.hidden:
        every = list(search.nodes())
        return Found(every[wanted.offset : end], len(every))
    page = list(islice(search.nodes(), wanted.offset, end))
    return Found(page, search.count())


class _Search:
    def __init__(self, backend: Backend, wanted: Wanted) -> None:
        self._backend = backend
        self._wanted = wanted
        self._identities = backend.identities
        kinds = (True, False) if wanted.is_job is None else (wanted.is_job,)
        self._indexes = [
            (is_job, index) for is_job in kinds for index in backend.names.of(is_job=is_job)
        ]

    def nodes(self) -> Iterator[FoundNode]:
        """Every node that is found, the best first, each once."""
        seen: set[tuple[bool, int]] = set()
        for is_job, number in self._numbers():
            node = (is_job, number if is_job else self._identities.leader(number))
            if node not in seen:
                seen.add(node)
                name = self._name(*node)
                wanted = self._wanted.namespace
                if (wanted is None or name.namespace == wanted) and not self._backend.is_hidden(
                    node
                ):
                    yield FoundNode(*node, name.namespace, name.name)

    def count(self) -> int:
        """How many nodes there are to be found, whatever they are called."""
        word = self._wanted.word
        named = sum(index.count(word) for _, index in self._indexes)
        if self._wanted.is_job is not True:
            named -= self._identities.surplus(word, self._backend.catalog.dataset_names)
        return named + len(self._beyond_names)

    def _numbers(self) -> Iterator[tuple[bool, int]]:
        word = self._wanted.word.lower()
        # Not a generator in a comprehension: each would see the last ``is_job``.
        found = [zip(repeat(is_job), index.hits(word)) for is_job, index in self._indexes]
        yield from merge(*found, key=lambda node: self._rank(word, *node))
        yield from self._beyond_names

    @cached_property
    def _beyond_names(self) -> list[tuple[bool, int]]:
        if self._wanted.names_only:
            return []
        dialect, word = self._backend.database.dialect, self._wanted.word
        with self._backend.read() as connection:
            told = find_beyond_names(connection, dialect, word, is_job=self._wanted.is_job)
            return [*told, *sorted(self._tagged(connection).difference(told))]

    def _tagged(self, connection: Connection) -> set[tuple[bool, int]]:
        """What users gave a tag that holds the word; what has it in its name is found by that."""
        word = self._wanted.word.lower()
        found: set[tuple[bool, int]] = set()
        for is_job, kind in ((True, "job"), (False, "dataset")):
            if self._wanted.is_job is (not is_job) or len(word) < INDEXED_FROM:
                continue
            digests = [
                digest
                for (tagged, digest), given in self._backend.taggings.items()
                if tagged == kind and any(word in tag.lower() for tag in chain(*given.values()))
            ]
            rows = connection.among(
                f"SELECT id, name FROM {kind} WHERE digest {{among}}",  # noqa: S608 - two words
                digests,
            )
            found |= {(is_job, number) for number, name in rows if word not in name.lower()}
        return found

    def _rank(self, word: str, is_job: bool, number: int) -> tuple[bool, str]:
        catalog = self._backend.catalog
        name = (catalog.job(number) if is_job else catalog.dataset(number)).name.lower()
        return not name.startswith(word), name

    def _name(self, is_job: bool, number: int) -> JobName | DatasetName:
        catalog = self._backend.catalog
        if is_job:
            return catalog.job(number)
        return self._identities.shown_name(number, catalog.dataset(number))
