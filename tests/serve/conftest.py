"""A backend on SQLite and a client over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from mainstem.serve.api.backend import Backend
from serve_fixtures import client_of, open_backend, sqlite_url


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Backend]:
    backend = open_backend(sqlite_url(tmp_path))
    yield backend
    backend.close()


@pytest.fixture
def client(backend: Backend) -> TestClient:
    return client_of(backend)
