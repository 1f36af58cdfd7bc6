"""What the server asks itself has an answer; what it renders ahead is what others are told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from mainstem.serve.api.warming import ask_first, warm_up
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
        asyncio.run(ask_first(listen, backend))
        asyncio.run(warm_up(listen, backend))
        assert len(asked) >= (5 if job is None else 9)
        for question in asked:
            assert client.get(question).status_code == 200, question
    finally:
        backend.close()


def test_what_is_rendered_ahead_is_what_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = open_backend(sqlite_url(tmp_path))
    client = client_of(backend)
    question = "/api/v1/lineage?nodeId=job:jobs:first"
    try:
        post(client, run_event(job="first", inputs=["a", "b"], outputs=["c", "d"]))
        post(client, run_event(job="second", inputs=["c", "d"], outputs=["e"], run="other"))
        apart = run_event(job="apart", outputs=["z"], run="last", time="2026-11-15T11:00:00Z")
        post(client, apart)  # the newest, whose graph is asked for anyway
        told = client.get(question).content
        backend.rendered.forget_all()
        asyncio.run(warm_up(client.app, backend))
        monkeypatch.setattr(backend.rendered, "keep", _refuse_more)
        assert client.get(question).content == told
    finally:
        monkeypatch.undo()
        backend.close()


def _refuse_more(_: int, form: str, pieces: Iterable[object]) -> None:
    assert not list(pieces), f"{form} was not rendered ahead"


def test_what_is_hidden_is_not_rendered_ahead(tmp_path: Path) -> None:
    backend = open_backend(sqlite_url(tmp_path))
    client = client_of(backend)
    try:
        post(client, run_event(job="first", inputs=["a"], outputs=["b"]))
        assert client.delete("/api/v1/namespaces/jobs/jobs/first").status_code == 200
        asyncio.run(warm_up(client.app, backend))
        answer = client.get("/api/v1/lineage?nodeId=job:jobs:first")
        assert answer.status_code == 404
        left = client.get(
            "/api/v1/lineage", params={"nodeId": "dataset:postgres://db:5432:a"}
        ).json()
        assert [node["outEdges"] for node in left["graph"]] == [[]]
    finally:
        backend.close()
