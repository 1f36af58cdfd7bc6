"""What changed lately: new jobs and datasets, edges, schemas, configurations, states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import orjson
from fastapi import Query, Response

from mainstem.said.schema import shown_fields
from mainstem.said.times import SECOND, iso
from mainstem.serve.api.nodes import Nodes
from mainstem.serve.api.parameters import Held, json_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes
from mainstem.serve.model.news import (
    ColumnChanges,
    column_changes,
    config_changes,
    edge_changes,
    state_change,
    worth_reading,
)
from mainstem.serve.store.history import runs_since, with_new_schema
from mainstem.serve.store.reading import versions_of_dataset
from mainstem.serve.store.runs import load_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.walk import Node
    from mainstem.serve.model.news import Happening, Ran
    from mainstem.serve.model.run import Run, Side
    from mainstem.sql.connection import Connection

router = router_of("/api/v2", "home")
_HOUR = 3600 * SECOND
MOST_LOOKED_AT = 300
"""Jobs that last said something, and datasets that came last; a page asks for this often."""

_MOST_RUNS = 50
_MOST_PARTS = 20


_Part = dict[str, Any]


class _Item(NamedTuple):
    at: int
    node: Node
    what: str
    before: str | None = None
    after: str | None = None
    added: Sequence[_Part] = ()
    removed: Sequence[_Part] = ()
    changed: Sequence[_Part] = ()


@router.get("/news", response_model=shapes.News)
def tell_news(
    backend: Held,
    hours: Annotated[int, Query(ge=1, le=24 * 31, description="How far back.")] = 24,
    limit: Annotated[int, Query(ge=1, le=500, description="How many at most.")] = 50,
) -> Response:
    """What changed in the last hours, the newest first."""
    since = backend.now() - hours * _HOUR
    with backend.read() as connection:
        teller = _Teller(backend, connection, since)
        items = sorted(teller.items(), key=lambda one: (-one.at, one.node, one.what))
        shown = teller.shown(items[:limit])
    return json_of(
        {
            "since": iso(since),
            "items": shown,
            "truncated": len(items) > limit or teller.is_partial,
        }
    )


class _Teller:
    def __init__(self, backend: Backend, connection: Connection, since: int) -> None:
        self._backend = backend
        self._connection = connection
        self._since = since
        self._resources = Resources(backend, connection)
        self._nodes = Nodes(backend, connection, self._resources, self._resources.view)
        self.is_partial = False

    def items(self) -> list[_Item]:
        jobs = self._lately(
            "SELECT id, created FROM job WHERE updated >= ? ORDER BY updated DESC LIMIT ?",
            is_job=True,
        )
        # Numbers are given in the order of arrival, and there is no index by time.
        datasets = self._lately(
            "SELECT id, created FROM dataset WHERE created >= ? ORDER BY id DESC LIMIT ?",
            is_job=False,
        )
        new_jobs = {number: at for number, at in jobs.items() if at >= self._since}
        return [
            *(_Item(at, (False, number), "DATASET") for number, at in datasets.items()),
            *(_Item(at, (True, number), "JOB") for number, at in new_jobs.items()),
            *self._of_jobs(jobs.keys() - new_jobs.keys()),
            *self._of_schemas(jobs, set(datasets)),
        ]

    def shown(self, items: list[_Item]) -> list[dict[str, Any]]:
        nodes = {one["id"]: one for one in self._nodes.shown({item.node: 0 for item in items})}
        return [
            {
                "what": item.what,
                "at": iso(item.at),
                "node": nodes[self._nodes.node_id(item.node)],
                "before": item.before,
                "after": item.after,
                "added": item.added,
                "removed": item.removed,
                "changed": item.changed,
            }
            for item in items
            if self._nodes.node_id(item.node) in nodes
        ]

    def _lately(self, statement: str, *, is_job: bool) -> dict[int, int]:
        rows = self._connection.rows(statement, [self._since, MOST_LOOKED_AT])
        self.is_partial |= len(rows) == MOST_LOOKED_AT
        return {
            number: created
            for number, created in rows
            # Another name of what is long known is nothing new.
            if (is_job or self._resources.identities.leader(number) == number)
            and not self._backend.is_hidden((is_job, number))
        }

    def _of_jobs(self, jobs: Iterable[int]) -> list[_Item]:
        runs = {job: runs_since(self._connection, job, self._since, _MOST_RUNS) for job in jobs}
        wanted = [one for listed in runs.values() for one in worth_reading(listed, self._since)]
        folded = load_runs(self._connection, wanted)
        return [
            self._told(job, one)
            for job, listed in runs.items()
            for one in self._happened(
                listed, [folded[run.id] for run in listed if run.id in folded]
            )
        ]

    def _happened(self, runs: list[Ran], read: list[Run]) -> list[Happening]:
        changed = state_change(runs, self._since, self._backend.now())
        return [
            *edge_changes([run for run in read if run.named is not None], self._since),
            *config_changes(read, self._since),
            *([] if changed is None else [changed]),
        ]

    def _told(self, job: int, one: Happening) -> _Item:
        return _Item(
            one.at,
            (True, job),
            one.what,
            one.before,
            one.after,
            self._sides(one.added),
            self._sides(one.removed),
        )

    def _sides(self, sides: tuple[Side, ...]) -> list[_Part]:
        leader = self._resources.identities.leader
        named = {(self._nodes.node_id((False, leader(number))), wrote) for number, wrote in sides}
        return [{"name": name, "written": wrote} for name, wrote in sorted(named)][:_MOST_PARTS]

    def _of_schemas(self, jobs: dict[int, int], new: set[int]) -> list[_Item]:
        reaches = self._backend.index.reaches
        touched = {
            number
            for job in jobs
            if job in reaches
            for number in (*reaches[job].inputs, *reaches[job].outputs)
        }
        changed = with_new_schema(self._connection, touched, self._since)
        leaders = {self._resources.identities.leader(number) for number in changed}
        return [item for dataset in sorted(leaders - new) for item in self._of_schema(dataset)]

    def _of_schema(self, dataset: int) -> list[_Item]:
        rows = versions_of_dataset(self._connection, self._resources.identities.members(dataset))
        if not rows[1:] or rows[0][1] < self._since:
            return []
        (after, at, _, new_facets, *_), (before, _, _, old_facets, *_) = rows[:2]
        changes = column_changes(
            shown_fields(orjson.loads(old_facets)), shown_fields(orjson.loads(new_facets))
        )
        return [_Item(at, (False, dataset), "SCHEMA", before, after, *_columns(changes))]


def _columns(changes: ColumnChanges) -> list[list[_Part]]:
    return [[{"name": name, "written": None} for name in names[:_MOST_PARTS]] for names in changes]
