"""Changes as they are committed, for pages that follow them (server-sent events)."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from mainstem.names.node_id import NodeId, NodeKind
from mainstem.said.json_values import kept_json

if TYPE_CHECKING:
    from mainstem.serve.model.changes import Changes
    from mainstem.serve.store.catalog import Catalog

REMEMBERED = 1000
MOST_NODES = 200


class Change(NamedTuple):
    """One committed transaction as a page is told of it."""

    number: int
    data: bytes


class ChangeFeed:
    """Publishes from the writer's thread to event loops; a slow listener misses the oldest."""

    def __init__(self) -> None:
        self._last = 0
        self.recent: deque[Change] = deque(maxlen=REMEMBERED)
        self._listeners: dict[asyncio.Queue[Change], asyncio.AbstractEventLoop] = {}

    def listen(self) -> asyncio.Queue[Change]:
        """A queue that every later change is put into; called in the listener's own loop."""
        queue: asyncio.Queue[Change] = asyncio.Queue(maxsize=REMEMBERED)
        self._listeners[queue] = asyncio.get_running_loop()
        return queue

    def leave(self, queue: asyncio.Queue[Change]) -> None:
        """Stop listening."""
        self._listeners.pop(queue, None)

    def since(self, number: int) -> list[Change]:
        """The remembered changes after a number."""
        return [change for change in self.recent if change.number > number]

    def publish(self, changes: Changes, catalog: Catalog) -> None:
        """Tell every listener what was committed."""
        self._last += 1
        change = Change(self._last, _told(changes, catalog))
        self.recent.append(change)
        for queue, loop in list(self._listeners.items()):
            loop.call_soon_threadsafe(_offer, queue, change)


def _offer(queue: asyncio.Queue[Change], change: Change) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(change)


def _told(changes: Changes, catalog: Catalog) -> bytes:
    jobs = [
        str(NodeId(NodeKind.JOB, tuple(catalog.job(number))))
        for number in sorted(changes.jobs)[:MOST_NODES]
    ]
    names = [catalog.dataset(number) for number in sorted(changes.datasets)[:MOST_NODES]]
    runs = [
        {
            "runId": run.run_id,
            "job": str(NodeId(NodeKind.JOB, tuple(catalog.job(run.job)))),
            "state": run.state,
        }
        for run in changes.runs[:MOST_NODES]
    ]
    datasets = [str(NodeId(NodeKind.DATASET, (one.namespace, one.name))) for one in names]
    return kept_json({"events": changes.events, "jobs": jobs, "datasets": datasets, "runs": runs})
