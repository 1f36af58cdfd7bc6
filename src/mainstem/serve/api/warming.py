"""The server asks itself first, so that no user waits for what is made but once.

Validators, prepared statements, the threads that answer and the index of names are made by whoever
needs them first. The questions are those that a page begins with; nothing of the answers is kept
but what any answer leaves behind.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from mainstem.names.node_id import NodeKind, node_text
from mainstem.serve.store.reading import jobs_by_update

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message

    from mainstem.serve.api.backend import Backend

SECONDS_AFTER_THE_START = 0.1
"""Whoever waits for the server to come up is answered before."""

MEMORY_AHEAD = 16 * 1024 * 1024


async def warm_up(app: ASGIApp, backend: Backend) -> None:
    """Ask an application what a page would ask it first."""
    await asyncio.sleep(SECONDS_AFTER_THE_START)
    await asyncio.to_thread(backend.prepare_search)
    for path, words in _questions(backend):
        await _ask(app, path, urlencode(words))
    take_memory_ahead()


def take_memory_ahead() -> None:
    """Have the system hand over, page by page, what large answers will take.

    Where freed memory is kept (see ``cli.store``), the first of them finds it there.
    """
    _ = b"\1" * MEMORY_AHEAD


def _questions(backend: Backend) -> list[tuple[str, dict[str, str]]]:
    with backend.read() as connection:
        newest = [number for number, _ in jobs_by_update(connection, (), 1)]
    asked: list[tuple[str, dict[str, str]]] = [
        ("/api/v1/jobs", {"limit": "10"}),
        ("/api/v1/search", {"q": "a"}),
        ("/api/v2/search", {"q": "abc"}),
        ("/api/v2/summary", {}),
    ]
    for number in newest:
        node = node_text(NodeKind.JOB, *backend.catalog.job(number))
        asked += [
            ("/api/v1/lineage", {"nodeId": node, "depth": "2"}),
            ("/api/v1/column-lineage", {"nodeId": node, "depth": "2"}),
            ("/api/v2/lineage", {"node": node, "depth": "2"}),
        ]
    return asked


async def _ask(app: ASGIApp, path: str, query: str) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        """Let nobody hear it."""

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [],
    }
    await app(scope, receive, send)
