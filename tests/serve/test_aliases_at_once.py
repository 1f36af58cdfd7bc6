"""Aliases that change while several ask: nobody is answered by the old ones after the change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from mainstem.names.dataset import DatasetName
from mainstem.serve.api.backend import Backend
from serve_fixtures import post, run_event

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from mainstem.sql.connection import Connection

NAMESPACE = "postgres://db:5432"
NAMES = ("Orders", "orders")


def leaders(backend: Backend) -> set[int]:
    names = backend.catalog.dataset_names
    told = [names.index(DatasetName(NAMESPACE, name)) for name in NAMES]
    return {backend.identities.leader(one) for one in told}


def test_who_asks_while_aliases_are_read_is_told_the_new_ones(
    backend: Backend, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(client, run_event("COMPLETE", inputs=[NAMES[0]], outputs=[NAMES[1]]))
    assert len(leaders(backend)) == 2
    alias = {
        "namespace": NAMESPACE, "name": NAMES[1],
        "otherNamespace": NAMESPACE, "otherName": NAMES[0], "origin": "user",
    }  # fmt: skip
    assert client.put("/api/v2/aliases", json=alias).status_code == 200
    reading, go_on = Event(), Event()
    read = backend.read

    def slow_read() -> AbstractContextManager[Connection]:
        reading.set()
        assert go_on.wait(30)
        return read()

    monkeypatch.setattr(backend, "read", slow_read)
    backend.aliases_changed()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(leaders, backend)
        assert reading.wait(30)
        second = threads.submit(leaders, backend)
        with pytest.raises(TimeoutError):
            second.result(0.2)
        go_on.set()
        assert len(first.result(30)) == len(second.result(30)) == 1
