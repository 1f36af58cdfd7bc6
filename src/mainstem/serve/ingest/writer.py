"""The one thread that writes: what waits is committed together, and answered after the commit."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from mainstem.serve.ingest.projection import ingest
from mainstem.serve.model.changes import Changes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mainstem.serve.model.event import Event
    from mainstem.serve.store.catalog import Catalog
    from mainstem.sql.connection import Connection, Database

MOST_AT_ONCE = 64
_T = TypeVar("_T")


class _Work(Struct, Generic[_T]):
    """Something to be done in the next transaction; done again alone should a neighbour fail."""

    act: Callable[[Connection], _T]
    answer: Future[_T]


class Writer:
    """Takes events and decisions from any thread, commits them, then tells ``on_commit``."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        now: Callable[[], int],
        on_commit: Callable[[Changes], None],
    ) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._catalog = catalog
        self._now = now
        self._on_commit = on_commit
        self._queue: SimpleQueue[_Work[Any] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="mainstem-writer", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Finish what waits, then stop."""
        self._queue.put(None)
        self._thread.join()
        self._disconnect()

    def send(self, events: Sequence[Event]) -> Future[Changes]:
        """Ingest events; the answer is set once they are durable."""
        return self.submit(
            lambda connection: ingest(connection, self._catalog, events, self._now())
        )

    def submit(self, act: Callable[[Connection], _T]) -> Future[_T]:
        """Do something in a transaction; an answer that is Changes is told to ``on_commit``."""
        answer: Future[_T] = Future()
        self._queue.put(_Work(act, answer))
        return answer

    def _work(self) -> None:
        running = True
        while running:
            group: list[_Work[Any]] = []
            item = self._queue.get()
            while item is not None:
                group.append(item)
                if len(group) == MOST_AT_ONCE or self._queue.empty():
                    break
                item = self._queue.get()
            running = item is not None
            self._commit_together(group)

    def _commit_together(self, group: list[_Work[Any]]) -> None:
        error = self._commit(group) if group else None
        if error is None:
            return
        for work in group:
            alone = error if len(group) == 1 else self._commit([work])
            if alone is not None:
                work.answer.set_exception(alone)

    def _commit(self, group: list[_Work[Any]]) -> Exception | None:
        """Do all of it in one transaction; the error, if nothing was done."""
        size = self._catalog.size
        try:
            connection = self._connect()
            with connection.transaction():
                answers = [work.act(connection) for work in group]
        except Exception as error:  # noqa: BLE001 - the writer outlives any one request
            self._catalog.shrink(size)
            self._disconnect()
            return error
        for answer in answers:
            if isinstance(answer, Changes):
                self._on_commit(answer)
        for work, answer in zip(group, answers, strict=True):
            work.answer.set_result(answer)
        return None

    def _connect(self) -> Connection:
        if self._connection is None:
            self._connection = self._database.connect()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
