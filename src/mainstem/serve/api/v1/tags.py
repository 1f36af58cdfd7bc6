"""/tags."""

from __future__ import annotations

from fastapi import Response
from pydantic import BaseModel

from mainstem.serve.api.parameters import Held, Limit, Named, Offset, Words, json_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.store import decisions

router = router_of("/api/v1", "tags")


class TagSaid(BaseModel):
    """What a PUT of a tag says."""

    description: Words | None = None


@router.get("/tags")
def list_tags(backend: Held, limit: Limit = 100, offset: Offset = 0) -> Response:
    """Every tag, as they were made."""
    with backend.read() as connection:
        rows = decisions.tags(connection)[offset : offset + limit]
    return json_of({"tags": [{"name": name, "description": text} for name, text in rows]})


@router.put("/tags/{tag:name}")
def put_tag(backend: Held, tag: Named, said: TagSaid) -> Response:
    """Make a tag, or describe it anew."""
    backend.decide(lambda one: decisions.put_tag(one, tag, said.description))
    return json_of({"name": tag, "description": said.description})
