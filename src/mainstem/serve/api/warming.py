"""The server asks itself first, so that no user waits for what is made but once.

Validators, prepared statements, the threads that answer and the index of names are made by whoever
needs them first. The questions are those that a page begins with; then the nodes through which
most walks lead are rendered, since what is rendered is kept until something of it changes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from mainstem.names.node_id import NodeKind, node_text
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.surroundings import around_datasets, around_jobs
from mainstem.serve.store.reading import jobs_by_update

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.view import Node

SECONDS_AFTER_THE_START = 0.1
"""Whoever waits for the server to come up is answered before."""

MEMORY_AHEAD = 16 * 1024 * 1024
RENDERED_AHEAD = 8_000_000
"""Bytes; with the rest that is kept at hand it stays far below what ``Rendered`` keeps."""

AT_ONCE = 40
"""Nodes in a slice: whoever asks meanwhile waits for one slice, a millisecond or two."""

MOST_AHEAD = 4000

_Question = tuple[str, dict[str, str]]
_ALL_JOBS: _Question = ("/api/v1/jobs", {})
_QUESTIONS: tuple[_Question, ...] = (
    ("/api/v1/search", {"q": "a"}),
    ("/api/v2/search", {"q": "abc"}),
    ("/api/v2/summary", {}),
)


async def ask_first(app: ASGIApp, backend: Backend) -> None:
    """Ask the least that loads and builds what every answer needs, before anybody else can ask."""
    for question in [("/api/v1/jobs", {"limit": "1"}), *_around_the_newest(backend)[:1]]:
        await _ask(app, *question)


async def warm_up(app: ASGIApp, backend: Backend) -> None:
    """Ask an application what a page would ask it first, and render what most answers show."""
    await asyncio.sleep(SECONDS_AFTER_THE_START)
    for question in [_ALL_JOBS, *_around_the_newest(backend)]:
        await _ask(app, *question)
    await asyncio.to_thread(backend.prepare_search)
    for question in _QUESTIONS:
        await _ask(app, *question)
    take_memory_ahead()
    await _render_ahead(backend)


def take_memory_ahead() -> None:
    """Have the system hand over, page by page, what large answers will take.

    Where freed memory is kept (see ``cli.store``), the first of them finds it there.
    """
    _ = b"\1" * MEMORY_AHEAD


def _around_the_newest(backend: Backend) -> list[_Question]:
    with backend.read() as connection:
        newest = jobs_by_update(connection, 1)
    asked: list[_Question] = []
    for number in newest:
        node = node_text(NodeKind.JOB, *backend.catalog.job(number))
        asked += [
            ("/api/v1/lineage", {"nodeId": node, "depth": "2"}),
            ("/api/v1/column-lineage", {"nodeId": node, "depth": "2"}),
            ("/api/v2/lineage", {"node": node, "depth": "2"}),
        ]
    return asked


async def _ask(app: ASGIApp, path: str, words: dict[str, str]) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        """Let nobody hear it."""

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": urlencode(words).encode(),
        "headers": [],
    }
    await app(scope, receive, send)


async def _render_ahead(backend: Backend) -> None:
    nodes = await asyncio.to_thread(_most_connected, backend)
    done = 0
    for at in range(0, len(nodes), AT_ONCE):
        done += await asyncio.to_thread(_render, backend, nodes[at : at + AT_ONCE])
        if done > RENDERED_AHEAD:
            break


def _most_connected(backend: Backend) -> list[Node]:
    """The nodes that most walks lead through, and that take longest to render."""
    index, leader = backend.index, backend.identities.leader
    degrees: Counter[Node] = Counter()
    for job, reach in list(index.reaches.items()):
        degrees[True, job] = len(reach.inputs) + len(reach.outputs)
    for jobs_of in (index.readers, index.writers):
        for dataset, jobs in list(jobs_of.items()):
            degrees[False, leader(dataset)] += len(jobs)
    most = degrees.most_common(MOST_AHEAD)
    return [node for node, _ in most if not backend.is_hidden(node)]


def _render(backend: Backend, nodes: Sequence[Node]) -> int:
    """Render some nodes with everything around them; answers how many bytes they are."""
    with backend.read() as connection:
        resources = Resources(backend, connection)
        view = resources.view
        jobs = {number for is_job, number in nodes if is_job}
        datasets = {number for is_job, number in nodes if not is_job}
        ids = resources.graph_ids(
            jobs.union(*map(view.readers, datasets), *map(view.writers, datasets)),
            datasets.union(*map(view.inputs, jobs), *map(view.outputs, jobs)),
        )
        rendered = resources.graph_nodes(
            around_jobs(view, jobs, ids), around_datasets(view, datasets, ids), ids
        )
    return sum(map(len, rendered))
