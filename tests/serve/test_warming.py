"""What the server asks itself when it has started are questions that it can answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from mainstem.serve.api.warming import warm_up
from serve_fixtures import client_of, columns, dataset, open_backend, post, run_event, sqlite_url


@pytest.mark.parametrize("job", [None, "plain", "a/b:1%2F#é"])
def test_every_question_has_an_answer(tmp_path: Path, job: str | None) -> None:
    backend = open_backend(sqlite_url(tmp_path))
    client = client_of(backend)
    asked: list[str] = []

    async def listen(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(f"{scope['path']}?{scope['query_string'].decode()}")
        await client.app(scope, receive, send)

    try:
        if job is not None:
            made = dataset("b") | {"facets": columns(x=[("a", "y")])}
            post(client, run_event(job=job, inputs=["a"], outputs=[made]))
        asyncio.run(warm_up(listen, backend))
        assert len(asked) >= (4 if job is None else 7)
        for question in asked:
            assert client.get(question).status_code == 200, question
    finally:
        backend.close()
