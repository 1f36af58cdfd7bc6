"""Search and the counts for a home page."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest, nsmallest
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import orjson
from fastapi import Query, Response

from mainstem.said.times import SECOND, iso
from mainstem.serve.api.finding import FoundNode, Wanted, find_nodes
from mainstem.serve.api.nodes import Nodes
from mainstem.serve.api.parameters import Held, Limit, Offset, json_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes
from mainstem.serve.store.tallies import arrivals, start_of

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.api.standings import Standing
    from mainstem.serve.store.reading import DatasetRow
    from mainstem.sql.connection import Connection

router = router_of("/api/v2", "home")
_HOUR = 3600 * SECOND
_LISTED = 20


@router.get("/search", response_model=shapes.SearchHits)
def search(
    backend: Held,
    q: Annotated[str, Query(min_length=1, max_length=1000)],
    *,
    type: Annotated[str | None, Query(pattern="^(JOB|DATASET)$")] = None,  # noqa: A002
    namespace: str | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Response:
    """Jobs and datasets by any part of a name, column, tag, owner or namespace."""
    is_job = None if type is None else type == "JOB"
    found = find_nodes(backend, Wanted(q, is_job, namespace, offset=offset, limit=limit))
    page = found.nodes
    with backend.read() as connection:
        resources = Resources(backend, connection)
        nodes = Nodes(backend, connection, resources, resources.view)
        shown = {one["id"]: one for one in nodes.shown({(n.is_job, n.number): 0 for n in page})}
        rows = resources.rows_of([one.number for one in page if not one.is_job])
        for one in page:
            given = {} if one.is_job else resources.given_tags(one.number)
            if given and one.node_id in shown:  # those of its fields, which no node shows
                node = shown[one.node_id]
                node["tags"] = [*node["tags"], *chain(*given.values())]
        hits = [
            _hit(one, shown[one.node_id], q, None if one.is_job else rows.get(one.number))
            for one in page
            if one.node_id in shown
        ]
    return json_of({"total": found.total, "hits": hits})


def _hit(one: FoundNode, node: dict[str, Any], word: str, row: DatasetRow | None) -> dict[str, Any]:
    fields = orjson.loads(b"[]" if row is None else row.fields)
    matched, value = _match(one, node, word.lower(), fields)
    keys = ("id", "type", "kind", "namespace", "name", "state", "stale", "connector")
    told = {key: node[key] for key in keys}
    return {**told, "matched": matched, "value": value}


def _match(
    one: FoundNode, node: dict[str, Any], word: str, fields: list[dict[str, Any]]
) -> tuple[str, str]:
    if word in one.name.lower():
        return "name", one.name
    columns = [field["name"] for field in fields]
    for what, values in (("column", columns), ("tag", node["tags"]), ("owner", node["owners"])):
        for value in values:
            if word in value.lower():
                return what, value
    return "namespace", one.namespace


@router.get("/summary", response_model=shapes.Summary)
def summarise(backend: Held) -> Response:
    """Counts, what fails, what reads most, events by the hour."""
    now = backend.now()
    with backend.read() as connection:
        resources = Resources(backend, connection)
        nodes = Nodes(backend, connection, resources, resources.view)
        standings = backend.standings.current(connection)
        overdue = (one.overdue_after for one in standings.values())
        return json_of(
            {
                "jobs": len(backend.catalog.jobs),
                "datasets": len(backend.catalog.datasets),
                "namespaces": _one(connection, "SELECT count(*) FROM namespace"),
                "events": _one(connection, "SELECT coalesce(max(id), 0) FROM event"),
                "states": Counter(one.state for one in standings.values()),
                "stale": sum(after is not None and after < now for after in overdue),
                "failing": _failing(nodes, standings),
                "largestConsumers": _largest(backend, nodes),
                "eventsByHour": _by_hour(connection, now),
            }
        )


def _one(connection: Connection, statement: str) -> int:
    return connection.rows(statement)[0][0]


def _failing(nodes: Nodes, standings: dict[int, Standing]) -> list[dict[str, Any]]:
    """Of the jobs that failed, those that spoke last."""
    failed = [(-one.updated, job) for job, one in standings.items() if one.state == "FAILED"]
    return nodes.shown({(True, job): 0 for _, job in nsmallest(_LISTED, failed)})


def _largest(backend: Backend, nodes: Nodes) -> list[dict[str, Any]]:
    counted = ((len(reach.inputs), job) for job, reach in list(backend.index.reaches.items()))
    return [
        {"id": nodes.node_id((True, job)), "inputs": count}
        for count, job in nlargest(_LISTED, counted)
        if count
    ]


def _by_hour(connection: Connection, now: int) -> list[dict[str, Any]]:
    first = now // _HOUR - 23
    counts: Counter[int] = Counter()
    for quarter, events in arrivals(connection, first * _HOUR):
        counts[start_of(quarter) // _HOUR] += events
    hours = range(first, first + 24)
    return [{"hour": iso(hour * _HOUR), "events": counts[hour]} for hour in hours]
