"""Searching, for Marquez's endpoint and for ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.store.search import count_found, find

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.api.backend import Backend

MOST_RANKED = 2000
"""Of a word that nearly everything holds, so many are put in order."""

MOST = 1_000_000


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


@dataclass(slots=True)
class Found:
    """What was found; times are read only where they are needed."""

    nodes: list[FoundNode]
    """The first of them; where very many are found, not all."""

    total: int
    updated: dict[tuple[bool, int], int] = field(default_factory=dict[tuple[bool, int], int])

    def read_times(self, backend: Backend, nodes: Iterable[FoundNode] | None = None) -> None:
        """Read when nodes were last spoken of; of all of them unless told which."""
        wanted = list(self.nodes if nodes is None else nodes)
        with backend.read() as connection:
            for is_job, table in ((True, "job"), (False, "dataset")):
                rows = connection.among(
                    f"SELECT id, updated FROM {table} WHERE id {{among}}",  # noqa: S608 - two words
                    [one.number for one in wanted if one.is_job is is_job],
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


def find_nodes(
    backend: Backend,
    word: str,
    *,
    names_only: bool,
    is_job: bool | None = None,
    namespace: str | None = None,
) -> Found:
    """Jobs and datasets that hold a word: names that begin with it first, then by name."""
    filtered = is_job is not None or namespace is not None
    dialect = backend.database.dialect
    with backend.read() as connection:
        most = MOST if filtered else MOST_RANKED
        rows = find(connection, dialect, word, names_only=names_only, most=most)
        total = None
        if not filtered and len(rows) == MOST_RANKED:
            total = count_found(connection, dialect, word, names_only=names_only)
    wanted = [row for row in rows if is_job is None or bool(row & 1) is is_job]
    nodes = list(_named(backend, wanted, namespace))
    begins = word.lower()
    nodes.sort(key=lambda one: (not one.name.lower().startswith(begins), one.name, one.namespace))
    return Found(nodes, len(nodes) if total is None else total)


def _named(backend: Backend, rows: list[int], namespace: str | None) -> Iterable[FoundNode]:
    identities, catalog = backend.identities, backend.catalog
    seen: set[int] = set()
    for row in rows:
        number, is_job = row >> 1, bool(row & 1)
        if is_job:
            name = catalog.job_names[number]
        else:
            number = identities.leader(number)
            if number in seen:
                continue
            seen.add(number)
            own = catalog.dataset_names[number]
            name = None if own is None else identities.shown_name(number, own)
        if name is None or (namespace is not None and name.namespace != namespace):
            continue
        if not backend.is_hidden((is_job, number)):
            yield FoundNode(is_job, number, name.namespace, name.name)
