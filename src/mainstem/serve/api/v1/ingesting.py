"""POST /lineage and /lineage/batch: answered only after the commit."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from mainstem.errors import EventRefused
from mainstem.serve.api.errors import answer_to
from mainstem.serve.api.metrics import EVENTS_REFUSED
from mainstem.serve.api.parameters import json_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v1 import shapes
from mainstem.serve.ingest.body import plain_body, read_batch, refuse_larger
from mainstem.serve.ingest.reading import read_event

if TYPE_CHECKING:
    from concurrent.futures import Future

    from starlette.types import ASGIApp, Receive, Scope, Send

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.model.changes import Changes
    from mainstem.serve.model.event import Event

router = router_of("/api/v1", "events")
ONE_EVENT = "/api/v1/lineage"
_NDJSON = ("application/x-ndjson", "application/ndjson", "application/jsonl")
DESCRIBED: dict[str, Any] = {
    "tags": ["events"],
    "summary": "Post Event",
    "description": "Take one RunEvent, JobEvent or DatasetEvent.",
    "operationId": "post_event",
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"type": "object"}}},
    },
    "responses": {"201": {"description": "The event is stored, with all that follows from it."}},
}
"""``Intake`` stands before the application, which therefore cannot describe it."""


class Intake:
    """Takes single events before anything else looks at a request: nothing is asked as often."""

    def __init__(self, app: ASGIApp, backend: Backend) -> None:
        self._app = app
        self._backend = backend

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take one event, or hand a request on."""
        if scope["type"] != "http" or scope["path"] != ONE_EVENT or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            event = await self._read(Request(scope, receive))
        except EventRefused as refused:
            await answer_to(refused)(scope, receive, send)
            return
        except ClientDisconnect:
            return
        error = await _outcome(self._backend.writer.send([event]))
        if error is not None:
            await answer_to(error)(scope, receive, send)
            return
        await send(
            {"type": "http.response.start", "status": 201, "headers": [(b"content-length", b"0")]}
        )
        await send({"type": "http.response.body", "body": b""})

    async def _read(self, request: Request) -> Event:
        if _media_type(request) not in ("", "application/json"):
            raise EventRefused(415, "send application/json")
        return read_event(await _body(request))


def _outcome(answer: Future[Changes]) -> asyncio.Future[BaseException | None]:
    """Why the writer could not do something, once it is known; None if it did it."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[BaseException | None] = loop.create_future()

    def settle(error: BaseException | None) -> None:
        if not outcome.done():
            outcome.set_result(error)

    answer.add_done_callback(
        lambda done: loop.call_soon_threadsafe(settle, done.exception()),
    )
    return outcome


@router.post(
    "/lineage/batch",
    response_model=shapes.BatchAnswer,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"type": "array", "items": {"type": "object"}}},
                "application/x-ndjson": {"schema": {"type": "string"}},
            },
        }
    },
)
async def post_batch(request: Request) -> Response:
    """Take many events, as a JSON array or NDJSON; the answer has one entry per event."""
    media_type = _media_type(request)
    if media_type not in ("", "application/json", *_NDJSON):
        raise EventRefused(415, "send application/json or application/x-ndjson")
    body = await _body(request)
    read = await run_in_threadpool(read_batch, body, ndjson=media_type in _NDJSON)
    taken = [one for one in read if not isinstance(one, EventRefused)]
    if taken:
        backend: Backend = request.app.state.backend
        await asyncio.wrap_future(backend.writer.send(taken))
    return json_of(_answer(read))


def _answer(read: list[Event | EventRefused]) -> dict[str, Any]:
    failed: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for at, one in enumerate(read):
        if isinstance(one, EventRefused):
            EVENTS_REFUSED.labels(code=str(one.code)).inc()
            failed.append({"index": at, "code": one.code, "message": str(one)})
            results.append({"status": one.code, "message": str(one)})
        else:
            results.append({"status": 201})
    summary = {
        "received": len(read),
        "successful": len(read) - len(failed),
        "failed": len(failed),
    }
    return {"summary": summary, "results": results, "failedEvents": failed}


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _body(request: Request) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        refuse_larger(size)
        chunks.append(chunk)
    encoding = request.headers.get("content-encoding", "").strip().lower()
    return plain_body(b"".join(chunks), encoding)
