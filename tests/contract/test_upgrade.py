"""A store of the first version, opened by this one: nothing that was said or decided is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from mainstem.serve.api.backend import Backend
from mainstem.serve.ingest.reading import read_event
from mainstem.serve.ingest.upkeep import MIGRATIONS
from mainstem.serve.store.catalog import digest_of
from mainstem.serve.store.decisions import AliasChoice, decide_alias
from mainstem.serve.store.tokens import Scope, create_token
from mainstem.sql.connection import Connection
from mainstem.sql.migration import applied, migrate, migrations
from mainstem.sql.opening import open_database
from serve_fixtures import (
    client_of,
    columns,
    dataset,
    open_backend,
    post,
    run_event,
    schema,
    sqlite_url,
)

DATABASE = "postgres://db:5432"
LINKED = {"symlinks": {"identifiers": [{"namespace": "hive://h", "name": "b", "type": "TABLE"}]}}
EVENTS = [
    run_event("START", inputs=["a"]),
    run_event(
        "COMPLETE",
        time="2026-11-15T10:05:00Z",
        inputs=["a"],
        outputs=[dataset("b") | {"facets": schema("x") | columns(x=[("a", "y")]) | LINKED}],
    ),
    run_event(
        run="00000000-0000-4000-8000-000000000002",
        job="other",
        inputs=[{"namespace": "hive://h", "name": "b"}],
        outputs=["c"],
    ),
    {
        "eventTime": "2026-11-15T09:00:00Z",
        "producer": "https://example.com/test",
        "dataset": {"namespace": DATABASE, "name": "alone", "facets": schema("z")},
    },
]
READ = (
    "/api/v1/jobs",
    "/api/v1/namespaces",
    "/api/v1/namespaces/postgres%3A%2F%2Fdb%3A5432/datasets",
    "/api/v1/sources",
    "/api/v1/tags",
    "/api/v1/events/lineage",
    "/api/v1/lineage?nodeId=job:jobs:job",
    "/api/v1/column-lineage?nodeId=dataset:postgres://db:5432:b",
    "/api/v1/namespaces/jobs/jobs/job/runs",
    "/api/v1/namespaces/postgres%3A%2F%2Fdb%3A5432/datasets/b/versions",
    "/api/v2/aliases",
    "/api/v2/lineage?node=job:jobs:job&depth=5",
    "/api/v2/edges?job=job:jobs:job",
    "/api/v2/search?q=alone",
)


def first_version(url: str, folder: Path) -> None:
    """Make a store as the first migration left it, with events, decisions and projections."""
    old = folder / "migrations"
    old.mkdir()
    shutil.copy(MIGRATIONS / "0001_events_and_projections.sql", old)
    database = open_database(url)
    connection = database.connect()
    migrate(database, connection, old)
    with connection.transaction():
        for number, event in enumerate(EVENTS, 1):
            read = read_event(orjson.dumps(event))
            connection.run(
                "INSERT INTO event (id, digest, time, received, type, run_id, body)"
                " VALUES (?,?,?,?,?,?,?)",
                [number, read.digest, read.time, read.time, read.type or "DATASET", read.run_id,
                 read.raw],
            )  # fmt: skip
        old_projections(connection)
        decide(connection)
    connection.close()
    database.close()


def old_projections(connection: Connection) -> None:
    """Rows of a shape that is no more; they must make way, whatever they say."""
    connection.run(
        "INSERT INTO job (id, digest, namespace, name, created, updated, reach, head, facets, fold)"
        " VALUES (1,?,'jobs','job',0,0,?,?,?,?)",
        [digest_of("jobs", "job"), *[b"old"] * 4],
    )
    connection.run(
        "INSERT INTO dataset (id, digest, namespace, name, created, updated, head, fields, facets,"
        " fold) VALUES (1,?,?,'b',0,0,?,?,?,?)",
        [digest_of(DATABASE, "b"), DATABASE, *[b"old"] * 4],
    )
    connection.run("INSERT INTO namespace (name, created) VALUES ('jobs', 0)")
    connection.run(
        "INSERT INTO source (name, created, key, updated, url) VALUES ('gone', 0, '', 0, '')"
    )
    connection.run("INSERT INTO search (rowid, name, more) VALUES (3, 'job', 'old')")


def decide(connection: Connection) -> None:
    """What users decided; the first version wrote it as this one does."""
    connection.run(
        "INSERT INTO namespace_setting (name, created, updated, owner, description)"
        " VALUES ('jobs', 1, 2, 'team', 'ours')"
    )
    connection.run("INSERT INTO tag (id, name, description) VALUES (3, 'GOLD', 'curated')")
    tagging = "INSERT INTO tagging (kind, digest, field, tag) VALUES (?,?,?,?)"
    connection.run(tagging, ["dataset", digest_of(DATABASE, "b"), "x", "GOLD"])
    connection.run(tagging, ["job", digest_of("jobs", "job"), "", "GOLD"])
    connection.run(
        "INSERT INTO hidden (kind, digest) VALUES ('dataset', ?)", [digest_of(DATABASE, "alone")]
    )
    decide_alias(connection, AliasChoice(DATABASE, "d", DATABASE, "c", True), 3)


def read_all(client: TestClient) -> dict[str, Any]:
    answers = {path: client.get(path) for path in READ}
    assert {path: one.status_code for path, one in answers.items() if one.status_code != 200} == {}
    return {path: one.json() for path, one in answers.items()}


@pytest.fixture
def upgraded(store_url: str, tmp_path: Path) -> Iterator[Backend]:
    first_version(store_url, tmp_path)
    backend = open_backend(store_url)
    yield backend
    backend.close()


def test_an_upgraded_store_answers_as_a_new_one_told_the_same(
    upgraded: Backend, tmp_path: Path
) -> None:
    told_anew = open_backend(sqlite_url(tmp_path))
    post(client_of(told_anew), *EVENTS)
    told_anew.decide(decide)
    expected = read_all(client_of(told_anew))
    told_anew.close()
    assert len(expected["/api/v1/jobs"]["jobs"]) == 2
    assert read_all(client_of(upgraded)) == expected


def test_tokens_outlive_an_upgrade(store_url: str, tmp_path: Path) -> None:
    first_version(store_url, tmp_path)
    database = open_database(store_url)
    connection = database.connect()
    secret = create_token(connection, "spark", Scope.READ, 0)
    connection.close()
    database.close()
    backend = open_backend(store_url)
    client = client_of(backend)
    assert client.get("/api/v1/jobs").status_code == 401
    shown = client.get("/api/v1/jobs", headers={"Authorization": f"Bearer {secret}"})
    assert shown.json()["totalCount"] == 2
    backend.close()


def test_an_upgraded_store_goes_on(upgraded: Backend) -> None:
    client = client_of(upgraded)
    with upgraded.read() as connection:
        assert applied(connection) == migrations(MIGRATIONS)[-1][0] > 1
    post(client, EVENTS[1], run_event("START", time="2026-11-15T11:00:00Z", job="late"))
    assert client.get("/api/v1/jobs").json()["totalCount"] == 3
    assert client.get("/api/v1/events/lineage").json()["totalCount"] == len(EVENTS) + 1
