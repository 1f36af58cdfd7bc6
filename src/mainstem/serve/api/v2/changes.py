"""Server-sent events: what each committed transaction changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import Request
from starlette.responses import StreamingResponse

from mainstem.serve.api.metrics import LISTENERS
from mainstem.serve.api.parameters import Held
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.api.live import Change

router = router_of("/api/v2", "changes")
LONGEST_NUMBER = 16
SECONDS_BETWEEN_SIGNS_OF_LIFE = 15.0


@router.get(
    "/changes",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events named change; the data of each is a ChangeData.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "model": shapes.ChangeData,
        }
    },
)
async def follow_changes(backend: Held, request: Request) -> StreamingResponse:
    """Follow changes; ``Last-Event-ID`` goes on where a connection was lost."""
    last = request.headers.get("last-event-id", "")
    since = int(last) if last.isdecimal() and len(last) < LONGEST_NUMBER else None
    return StreamingResponse(
        _stream(backend, since),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _stream(backend: Backend, since: int | None) -> AsyncIterator[bytes]:
    queue = backend.feed.listen()
    LISTENERS.inc()
    try:
        yield b": listening\n\n"
        for change in backend.feed.since(since) if since is not None else ():
            yield _told(change)
        while True:
            try:
                async with asyncio.timeout(SECONDS_BETWEEN_SIGNS_OF_LIFE):
                    change = await queue.get()
            except TimeoutError:
                yield b": still here\n\n"
            else:
                yield _told(change)
    finally:
        backend.feed.leave(queue)
        LISTENERS.dec()


def _told(change: Change) -> bytes:
    return b"id: %d\nevent: change\ndata: %b\n\n" % (change.number, change.data)
