"""A backend and a client over it, on either database; what the tests of serve share."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from starlette.testclient import TestClient

from mainstem.serve.api.backend import Backend
from mainstem.serve.app import make_app
from mainstem.sql.opening import open_database

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
Opener = Callable[[], str]
_numbers = itertools.count(1)


def fixed_clock() -> datetime:
    return NOON


def sqlite_url(folder: Path) -> str:
    return str(folder / f"store-{next(_numbers)}.db")


def open_backend(url: str) -> Backend:
    return Backend(open_database(url), fixed_clock).open("a test")


def client_of(backend: Backend) -> TestClient:
    return TestClient(make_app(backend), raise_server_exceptions=False)


def run_event(
    event_type: str | None = "COMPLETE",
    *,
    run: str = "00000000-0000-4000-8000-000000000001",
    job: str = "job",
    time: str = "2026-11-15T10:00:00Z",
    inputs: list[Any] | tuple[Any, ...] = (),
    outputs: list[Any] | tuple[Any, ...] = (),
    run_facets: dict[str, Any] | None = None,
    job_facets: dict[str, Any] | None = None,
    producer: str = "https://example.com/test",
) -> dict[str, Any]:
    event: dict[str, Any] = {
        "eventTime": time,
        "producer": producer,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run, "facets": run_facets or {}},
        "job": {"namespace": "jobs", "name": job, "facets": job_facets or {}},
        "inputs": [dataset(one) for one in inputs],
        "outputs": [dataset(one) for one in outputs],
    }
    return event if event_type is None else {**event, "eventType": event_type}


def dataset(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else {"namespace": "postgres://db:5432", "name": said}


def schema(*fields: str) -> dict[str, Any]:
    return {"schema": {"fields": [{"name": one, "type": "VARCHAR"} for one in fields]}}


def columns(**made_from: list[tuple[str, str]]) -> dict[str, Any]:
    return {
        "columnLineage": {
            "fields": {
                column: {
                    "inputFields": [
                        {"namespace": "postgres://db:5432", "name": name, "field": field}
                        for name, field in sources
                    ]
                }
                for column, sources in made_from.items()
            }
        }
    }


def post(client: TestClient, *events: dict[str, Any]) -> None:
    for event in events:
        answer = client.post(
            "/api/v1/lineage",
            content=orjson.dumps(event),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 201, answer.text


_JUNK = [
    None,
    0,
    -1,
    1e308,
    True,
    "",
    "x" * 300,
    "\u202e",
    [],
    {},
    [[]],
    {"a": []},
    "\ud7ff",
    2**63,
]


def mangled(source: random.Random) -> bytes:
    """A valid event with a few values replaced by junk, or bytes of it by others."""
    event = run_event(inputs=["a"], outputs=["b"], job_facets={"lineage": {}, "tags": {}})
    for _ in range(source.randint(1, 3)):
        holder: Any = event
        while True:
            key = source.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            below = holder[key]
            if isinstance(below, dict | list) and below and source.random() < 0.8:
                holder = below
                continue
            holder[key] = copy.deepcopy(source.choice(_JUNK))
            break
    text = bytearray(orjson.dumps(event))
    if source.random() < 0.3:
        text[source.randrange(len(text))] = source.randrange(256)
    return bytes(text)
