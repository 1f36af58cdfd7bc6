"""GET /events/lineage: the events themselves."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from mainstem.errors import EventRefused
from mainstem.serve.api.parameters import Held, JsonBytes, Limit, Offset, instant_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.store import events
from mainstem.serve.store.tallies import count_events

router = router_of("/api/v1", "events")
_ALWAYS = 2**61
"""Beyond every instant; twice as much would be beyond what a database adds up."""


@router.get("/events/lineage")
def list_events(
    backend: Held,
    *,
    before: str | None = None,
    after: str | None = None,
    direction: Annotated[str, Query(alias="sortDirection")] = "desc",
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """Events as they were received, by time."""
    if direction.lower() not in ("asc", "desc"):
        raise EventRefused(400, "query param sortDirection must be one of [asc, desc]")
    period = instant_of(after, -_ALWAYS), instant_of(before, _ALWAYS)
    order = events.OLDEST if direction.lower() == "asc" else events.NEWEST
    with backend.read() as connection:
        page = events.page(connection, period, order, limit, offset)
        total = count_events(connection, period)
    return JsonBytes(b'{"events":[%b],"totalCount":%d}' % (b",".join(page), total))
