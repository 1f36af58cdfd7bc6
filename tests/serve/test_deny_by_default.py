"""Whoever brings no token gets nothing, by whatever route; and the backend asks nobody itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import mainstem.serve
from mainstem.serve.api.access import OPEN
from mainstem.serve.api.backend import Backend
from mainstem.serve.app import make_api
from mainstem.serve.store.tokens import Scope, create_token

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
SERVE = Path(mainstem.serve.__file__).parent
ASKING = {"httpx2", "httpx", "requests", "urllib.request", "http.client", "aiohttp", "ftplib"}


@pytest.fixture
def routes(backend: Backend) -> list[str]:
    """Every path of the document, its names filled in; the store has a token."""
    backend.writer.submit(lambda one: create_token(one, "t", Scope.READ, 0)).result()
    paths = make_api(backend).openapi()["paths"]
    assert len(paths) > 40
    return [path.replace("{", "").replace("}", "") for path in paths]


def test_every_route_asks_for_a_token_whatever_the_method(
    routes: list[str], client: TestClient
) -> None:
    let_in = {
        (method, path)
        for path in set(routes) - OPEN
        for method in METHODS
        if client.request(method, path).status_code != 401
    }
    assert let_in == set()


def test_no_spelling_of_a_route_gets_around_the_token(
    routes: list[str], client: TestClient
) -> None:
    for path in sorted(set(routes) - OPEN):
        odd = (
            f"/{path}",
            f"{path}/",
            f"{path};x",
            f"{path}%2f",
            f"/healthz/..{path}",
            f"/healthz;{path}",
            f"/api/v2/session/..{path}",
            path.upper(),
            path.replace("/api/", "/api%2f"),
        )
        for spelling in odd:
            assert client.get(spelling).status_code in (401, 404), spelling


def test_the_backend_asks_nobody_but_the_issuer() -> None:
    asking = {
        file.relative_to(SERVE).as_posix()
        for file in SERVE.rglob("*.py")
        for one in ast.walk(ast.parse(file.read_text()))
        if isinstance(one, ast.Import | ast.ImportFrom)
        for name in (
            [one.module] if isinstance(one, ast.ImportFrom) else [a.name for a in one.names]
        )
        if name in ASKING
    }
    assert asking == {"oidc/issuer.py"}
