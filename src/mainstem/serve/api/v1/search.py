"""GET /search: Marquez's search, over names."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Query, Response

from mainstem.errors import EventRefused
from mainstem.said.times import iso, parse_instant
from mainstem.serve.api.finding import Found, Wanted, find_nodes
from mainstem.serve.api.parameters import Held, Limit, json_of
from mainstem.serve.api.routers import router_of

router = router_of("/api/v1", "search")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_KINDS = {"DATASET": False, "JOB": True}
_SORTS = ("NAME", "UPDATE_AT", "UPDATED_AT")


@router.get("/search")
def search(
    backend: Held,
    q: Annotated[str, Query(min_length=1)],
    *,
    kind: Annotated[str | None, Query(alias="filter")] = None,
    sort: str = "NAME",
    limit: Limit = 10,
    namespace: str | None = None,
    before: str | None = None,
    after: str | None = None,
) -> Response:
    """Jobs and datasets whose name holds a word."""
    wanted = _KINDS.get(kind.upper()) if kind else None
    if kind and wanted is None:
        raise EventRefused(400, "query param filter must be one of [DATASET, JOB]")
    if sort.upper() not in _SORTS:
        raise EventRefused(400, f"query param sort must be one of [{', '.join(_SORTS)}]")
    since, until = _day("after", after), _day("before", before)
    by_time = since is not None or until is not None or sort.upper() != "NAME"
    found = find_nodes(
        backend, Wanted(q, wanted, namespace, names_only=True, limit=None if by_time else limit)
    )
    found.read_times(backend)
    if by_time:
        found.keep_updated_between(since, until)
        if sort.upper() != "NAME":
            found.sort_by_update()
    results = [_result(found, one) for one in found.nodes[:limit]]
    return json_of({"totalCount": found.total, "results": results})


def _result(found: Found, one: Any) -> dict[str, Any]:
    return {
        "type": "JOB" if one.is_job else "DATASET",
        "name": one.name,
        "updatedAt": iso(found.updated.get((one.is_job, one.number), 0)),
        "namespace": one.namespace,
        "nodeId": one.node_id,
    }


def _day(name: str, text: str | None) -> int | None:
    if text is None:
        return None
    try:
        if _DAY.fullmatch(text):
            return parse_instant(text)
    except ValueError:
        pass
    mistake = f"query param {name} must be a day, YYYY-MM-DD"
    raise EventRefused(400, mistake, [mistake])
