"""Everything that answers rest on: the store, its names and its graph in memory, the writer."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

from mainstem.names.dataset import DatasetName
from mainstem.names.identity import Aliases, canonical
from mainstem.said.times import to_micros
from mainstem.serve.api.findings import Findings
from mainstem.serve.api.live import ChangeFeed
from mainstem.serve.api.metrics import EVENTS_STORED
from mainstem.serve.api.rendered import Rendered
from mainstem.serve.api.standings import Standings
from mainstem.serve.graph.identities import Identities
from mainstem.serve.graph.index import GraphIndex
from mainstem.serve.graph.name_index import Names
from mainstem.serve.graph.view import GraphView, Node
from mainstem.serve.ingest.upkeep import prepare
from mainstem.serve.ingest.writer import Writer
from mainstem.serve.store import decisions
from mainstem.serve.store.catalog import Catalog, digest_of
from mainstem.serve.store.jobs import every_reach
from mainstem.serve.store.search import prepare_index
from mainstem.serve.store.surroundings import every_symlink

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mainstem.clock import Clock
    from mainstem.serve.model.changes import Changes
    from mainstem.serve.oidc.sign_in import SignIn
    from mainstem.sql.connection import Connection, Database


class Backend:
    """One open store; handlers read through it, and write through its writer alone."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self._clock = clock
        self.catalog = Catalog()
        self.names = Names(self.catalog)
        self.index = GraphIndex()
        self.feed = ChangeFeed()
        self.rendered = Rendered()
        self.standings = Standings()
        self.findings = Findings()
        self.hidden: set[tuple[str, bytes]] = set()
        self.taggings: dict[tuple[str, bytes], dict[str, list[str]]] = {}
        self._identities = Identities()
        self._identities_known = -1
        self._aliases = Aliases()
        self._aliases_wanted, self._aliases_made = object(), object()
        self._naming = threading.RLock()
        self.slow_search: str | None = None
        """Why search is slow, if it is."""

        self.always_guarded = False
        """Whether a token is needed although none is left: others can reach this server."""

        self.sign_in: SignIn | None = None
        """How people sign in by OpenID Connect, where that is set up."""

        self._held = ExitStack()
        self.writer = Writer(database, self.catalog, self.now, self._committed)

    def open(self, holder: str) -> Backend:
        """Migrate, load the graph, begin to write."""
        self._held.enter_context(self.database.hold(holder))
        with self.database.reader() as connection:
            prepare(self.database, connection)
            self.slow_search = prepare_index(connection, self.database.dialect)
            decisions.ensure_default_namespace(connection, self.now())
            self.load(connection)
        _ = self.identities  # else whoever asks first would wait for them
        self.writer.start()
        return self

    def prepare_search(self) -> None:
        """Index the names, so that the first who searches need not wait for it."""
        _ = self.names.of(is_job=True), self.names.of(is_job=False)

    def load(self, connection: Connection) -> None:
        """Read the names and the current graph."""
        self.catalog.load(connection)
        self.index.load(dict(every_reach(connection)))
        self.standings.forget_all()
        self._aliases_wanted = object()
        self.refresh_decisions(connection)

    def refresh_decisions(self, connection: Connection) -> None:
        """Read again what users decided."""
        self.hidden = decisions.hidden(connection)
        taggings: dict[tuple[str, bytes], dict[str, list[str]]] = {}
        for kind, digest, field, tag in decisions.taggings(connection):
            taggings.setdefault((kind, bytes(digest)), {}).setdefault(field, []).append(tag)
        self.taggings = taggings

    def close(self) -> None:
        """Finish writing and let go of the store."""
        self.writer.stop()
        self._held.close()
        self.database.close()

    def now(self) -> int:
        """The present instant in microseconds."""
        return to_micros(self._clock())

    def read(self) -> AbstractContextManager[Connection]:
        """A connection to read with."""
        return self.database.reader()

    def decide(self, act: Callable[[Connection], None]) -> None:
        """Write a user's decision and follow it at once."""

        def decided(connection: Connection) -> None:
            act(connection)
            self.refresh_decisions(connection)

        self.writer.submit(decided).result()
        self.rendered.forget_all()

    def aliases_changed(self) -> None:
        """Let the next reader merge nodes anew."""
        self._aliases_wanted = object()
        self.rendered.forget_all()

    @property
    def aliases(self) -> Aliases:
        """Every alias that holds now: what symlinks say, with the users' decisions applied."""
        # Whoever asks while they are read waits: the old ones are wrong for good once rendered.
        with self._naming:
            wanted = self._aliases_wanted
            if self._aliases_made is not wanted:
                with self.read() as connection:
                    links = every_symlink(connection)
                    choices = decisions.alias_choices(connection)
                said = Aliases(datasets=[(one.dataset, one.other) for one in links])
                for choice in choices:
                    told = _alias(choice)
                    said = said | told if choice.accepted else said - told
                self._aliases = said
                self._aliases_made = wanted
                self._identities_known = -1
            return self._aliases

    @property
    def identities(self) -> Identities:
        """Which datasets are one, built anew only after names or aliases changed."""
        with self._naming:
            aliases = self.aliases
            names = self.catalog.dataset_names
            if self._identities_known != len(names):
                known = self._identities_known
                fresh = (name for name in names[known:] if name is not None)
                if known < 0 or any(map(self._joins, fresh)):
                    self._identities = Identities().build(names, aliases)
                self._identities_known = len(names)
            return self._identities

    def _joins(self, name: DatasetName) -> bool:
        """Whether a new name belongs to a group, so that the groups must be made again."""
        preferred = canonical(name.namespace, name.name, self._aliases)
        return preferred != name or name in self._identities.preferred_names

    def view(self) -> GraphView:
        """The current graph, aliases merged, hidden things left out."""
        return GraphView(self.index, self.identities, self.is_hidden if self.hidden else None)

    def is_hidden(self, node: Node) -> bool:
        """Whether a user deleted a node and no event spoke of it since."""
        if not self.hidden:
            return False
        is_job, number = node
        name = self.catalog.job(number) if is_job else self.catalog.dataset(number)
        kind = "job" if is_job else "dataset"
        return (kind, digest_of(name.namespace, name.name)) in self.hidden or (
            is_job and ("namespace", digest_of(name.namespace)) in self.hidden
        )

    def _committed(self, changes: Changes) -> None:
        if not changes.events:
            return  # repetitions of what was told already
        EVENTS_STORED.inc(changes.events)
        self.index.apply(changes)
        self.standings.forget(changes.jobs)
        if changes.aliases:
            self.aliases_changed()
        leader = self._identities.leader
        self.rendered.forget(
            [
                *((True, job) for job in changes.jobs),
                *((False, leader(dataset)) for dataset in changes.datasets),
            ]
        )
        if self.hidden:
            self._show_again(changes)
        self.feed.publish(changes, self.catalog)

    def _show_again(self, changes: Changes) -> None:
        spoken_of = {("job", digest_of(*self.catalog.job(job))) for job in changes.jobs}
        spoken_of |= {("namespace", digest_of(self.catalog.job(job)[0])) for job in changes.jobs}
        for number in changes.datasets:
            name = self.catalog.dataset(number)
            spoken_of |= {
                ("dataset", digest_of(name.namespace, name.name)),
                ("namespace", digest_of(name.namespace)),
            }
        revived = spoken_of & self.hidden
        if revived:
            self.hidden = self.hidden - revived
            self.rendered.forget_all()
            self.writer.submit(lambda connection: decisions.show_again(connection, revived))


def _alias(choice: decisions.AliasChoice) -> Aliases:
    if choice.name is None or choice.other_name is None:
        return Aliases(namespaces=[(choice.namespace, choice.other_namespace)])
    one = DatasetName(choice.namespace, choice.name)
    return Aliases(datasets=[(one, DatasetName(choice.other_namespace, choice.other_name))])
