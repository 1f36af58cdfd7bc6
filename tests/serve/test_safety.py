"""Tokens, limits, and malformed events: refused with a reason, never a 5xx."""

from __future__ import annotations

import gzip

import orjson
import pytest
from starlette.testclient import TestClient

from mainstem.cli.serve import is_loopback, refuse_strangers
from mainstem.serve.api.backend import Backend
from mainstem.serve.ingest.body import LARGEST_BODY
from mainstem.serve.store.tokens import Scope, create_token, revoke_token, tokens
from serve_fixtures import run_event

JSON = {"Content-Type": "application/json"}


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def make(backend: Backend, scope: Scope) -> str:
    return backend.writer.submit(lambda one: create_token(one, "t", scope, 0)).result()


def test_tokens_guard_everything_by_scope(backend: Backend, client: TestClient) -> None:
    reader, writer = make(backend, Scope.READ), make(backend, Scope.WRITE)
    event = orjson.dumps(run_event())
    assert client.get("/api/v1/jobs").status_code == 401
    assert client.get("/api/v1/jobs", headers=bearer(reader + "x")).status_code == 401
    assert client.get("/api/v1/jobs", headers=bearer(reader)).status_code == 200
    refused = client.post("/api/v1/lineage", content=event, headers={**JSON, **bearer(reader)})
    assert refused.status_code == 403
    taken = client.post("/api/v1/lineage", content=event, headers={**JSON, **bearer(writer)})
    assert taken.status_code == 201
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "//api/v1/jobs",
        "/api/v1/jobs/",
        "/api/v1/jobs;x",
        "/healthz/../api/v1/jobs",
        "/api%2Fv1/jobs",
        "/API/v1/jobs",
        "/healthz;/api/v1/jobs",
        "/metrics",
        "/api/openapi.json",
    ],
)
def test_no_path_trick_gets_around_a_token(backend: Backend, client: TestClient, path: str) -> None:
    make(backend, Scope.READ)
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        assert client.request(method, path).status_code in (401, 404, 405)
        assert client.request(method, path).status_code != 200


def test_a_page_signs_in_with_a_cookie(backend: Backend, client: TestClient) -> None:
    secret = make(backend, Scope.READ)
    assert client.post("/api/v2/session", json={"token": "wrong"}).status_code == 401
    signed = client.post("/api/v2/session", json={"token": secret})
    assert "httponly" in signed.headers["set-cookie"].lower()
    assert client.get("/api/v1/jobs").status_code == 200


def test_secrets_are_not_in_the_store_and_can_be_revoked(backend: Backend) -> None:
    secret = make(backend, Scope.READ)
    with backend.read() as connection:
        (token,) = tokens(connection)
        assert secret.encode() not in repr(connection.rows("SELECT * FROM token")).encode()
    backend.writer.submit(lambda one: revoke_token(one, token.id, 1)).result()
    with backend.read() as connection:
        assert tokens(connection)[0].revoked == 1


@pytest.mark.parametrize(("host", "code"), [("127.0.0.1", 200), ("192.0.2.1", 401)])
def test_a_server_that_others_reach_stays_shut_when_its_last_token_is_revoked(
    backend: Backend, client: TestClient, host: str, code: int
) -> None:
    make(backend, Scope.READ)
    refuse_strangers(backend, host, insecure=False)
    with backend.read() as connection:
        (token,) = tokens(connection)
    backend.writer.submit(lambda one: revoke_token(one, token.id, 1)).result()
    assert client.get("/api/v1/jobs").status_code == code
    assert client.get("/api/v2/session").json()["required"] is (code == 401)


def test_a_value_that_is_not_allowed_is_told_with_those_that_are(client: TestClient) -> None:
    refused = client.post("/api/v1/lineage", json=run_event("BANANA"))
    message = refused.json()["message"]
    assert refused.status_code == 422
    assert message == (
        "eventType: 'BANANA' is not allowed; allowed: START, RUNNING, COMPLETE, ABORT, FAIL, OTHER"
    )


@pytest.mark.parametrize(
    ("body", "encoding", "code"),
    [
        (b"x" * (LARGEST_BODY + 1), "", 413),
        (gzip.compress(b" " * (LARGEST_BODY + 1)), "gzip", 413),
        (gzip.compress(b" " * (LARGEST_BODY // 2)), "gzip", 413),
        (b"[" * 2000, "", 400),
        (b'{"a":' + b"[" * 600 + b"]" * 600 + b"}", "", 413),
        (b"not gzip", "gzip", 400),
        (b"{}", "br", 415),
        (b"\xff\xfe", "", 400),
        (b'{"a": NaN}', "", 400),
    ],
)
def test_bodies_are_bounded(client: TestClient, body: bytes, encoding: str, code: int) -> None:
    headers = {**JSON, "Content-Encoding": encoding} if encoding else JSON
    answer = client.post("/api/v1/lineage", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (code, code)


def test_only_loopback_counts_as_loopback() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")  # noqa: S104 - that is the point
