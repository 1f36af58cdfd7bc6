"""POST /lineage and /lineage/batch: answered only after the commit."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from mainstem.errors import EventRefused
from mainstem.serve.api.metrics import EVENTS_REFUSED
from mainstem.serve.api.parameters import json_of
from mainstem.serve.ingest.body import plain_body, read_batch, refuse_larger
from mainstem.serve.ingest.reading import read_event

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.model.event import Event

router = APIRouter(tags=["events"])
_EVENT: dict[str, Any] = {"schema": {"type": "object"}}
_NDJSON = ("application/x-ndjson", "application/ndjson", "application/jsonl")


@router.post(
    "/lineage",
    status_code=201,
    response_class=Response,
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": _EVENT}}},
)
async def post_event(request: Request) -> Response:
    """Take one RunEvent, JobEvent or DatasetEvent."""
    if _media_type(request) not in ("", "application/json"):
        raise EventRefused(415, "send application/json")
    event = read_event(await _body(request))
    backend: Backend = request.app.state.backend
    await asyncio.wrap_future(backend.writer.send([event]))
    return Response(status_code=201)


@router.post(
    "/lineage/batch",
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
