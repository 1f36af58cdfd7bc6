"""Every contract test runs on SQLite, and on a real PostgreSQL where the marker asks for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from mainstem.serve.api.backend import Backend
from serve_fixtures import client_of, open_backend, sqlite_url

_databases = itertools.count(1)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    server = request.getfixturevalue("postgres_server")
    name = f"contract_{next(_databases)}"
    server.create_database(name)
    return f"postgresql://postgres@{server.host}:{server.port}/{name}"


@pytest.fixture
def backend(store_url: str) -> Iterator[Backend]:
    backend = open_backend(store_url)
    yield backend
    backend.close()


@pytest.fixture
def client(backend: Backend) -> TestClient:
    return client_of(backend)
