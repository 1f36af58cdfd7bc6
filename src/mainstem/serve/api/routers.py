"""Routers whose routes are the application's own, and whose requests are bounded.

A router that is included is built a second time when the first request comes, and each request is
matched twice on its way through it. Routes that know their whole path need neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from mainstem.errors import EventRefused
from mainstem.serve.ingest.body import refuse_larger

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from fastapi import FastAPI, Response


class Error(BaseModel):
    """What is wrong with a request."""

    code: int
    message: str
    errors: list[str] = []
    """Every mistake, where there are several."""


class BoundedRequest(Request):
    """A request whose body is bounded as an event's is, and whose JSON is read as strictly."""

    async def body(self) -> bytes:
        """The body."""
        if not hasattr(self, "_body"):
            chunks: list[bytes] = []
            size = 0
            async for chunk in self.stream():
                size += len(chunk)
                _refuse_larger(size)
                chunks.append(chunk)
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> Any:
        """The body as JSON; a lone surrogate or a number beyond all bounds is none."""
        return orjson.loads(await self.body())


def _refuse_larger(size: int) -> None:
    try:
        refuse_larger(size)
    except EventRefused as refused:
        # Any other error that comes while a body is read, FastAPI calls a body it cannot parse.
        raise HTTPException(refused.code, str(refused)) from refused


class BoundedRoute(APIRoute):
    """A route that is asked by bounded requests."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        handle = super().get_route_handler()

        async def bounded(request: Request) -> Response:
            return await handle(BoundedRequest(request.scope, request.receive))

        return bounded


def router_of(prefix: str, tag: str) -> APIRouter:
    """A router for one kind of thing below a path."""
    told = {"model": Error, "description": "What is wrong, in one shape."}
    return APIRouter(prefix=prefix, tags=[tag], responses={"4XX": told}, route_class=BoundedRoute)


def add_routes(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    """Give an application the routes of some routers."""
    for router in routers:
        app.router.routes.extend(router.routes)
