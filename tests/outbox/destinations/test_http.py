"""HTTP: what is sent, and what each answer means."""

from __future__ import annotations

import email.utils
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

import pytest

from mainstem import clock
from mainstem.errors import DestinationBusy, DestinationLocked, DestinationRefused
from mainstem.outbox import StoredEvent
from mainstem.outbox.destinations.http import HttpDestination
from mainstem.outbox.destinations.http_settings import build
from mainstem.outbox.section import Section
from outbox.backend import Backend, Reply, Request, running_backend

KEY = "s3cr3t-api-key"
EVENT = StoredEvent(1, "r1", b'{"eventType":"START"}', datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture
def backend() -> Iterator[Backend]:
    with running_backend() as running:
        yield running


Maker = Callable[..., HttpDestination]


@pytest.fixture
def destination() -> Iterator[Maker]:
    with ExitStack() as opened:

        def make(backend: Backend, **settings: object) -> HttpDestination:
            mistakes: list[str] = []
            made = build("http", Section("transport", {"url": backend.url, **settings}, mistakes))
            assert mistakes == []
            return opened.enter_context(closing(made))

        yield make


def test_the_stored_bytes_go_to_the_usual_endpoint(backend: Backend, destination: Maker) -> None:
    destination(backend).deliver(EVENT)
    [request] = backend.requests
    assert (request.path, request.body) == ("/api/v1/lineage", EVENT.body)
    assert request.headers["Content-Type"] == "application/json"
    assert "Authorization" not in request.headers


def test_key_headers_endpoint_and_compression(backend: Backend, destination: Maker) -> None:
    made = destination(
        backend,
        endpoint="deep/er",
        compression="gzip",
        custom_headers={"X-Team": "data"},
        auth={"type": "api_key", "apiKey": KEY},
    )
    made.deliver(EVENT)
    made.deliver(EVENT)
    first, second = backend.requests
    assert first == second
    assert (first.path, first.body) == ("/deep/er", EVENT.body)
    assert first.headers["Content-Encoding"] == "gzip"
    assert first.headers["Authorization"] == f"Bearer {KEY}"
    assert first.headers["X-Team"] == "data"


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_success(backend: Backend, destination: Maker, status: int) -> None:
    backend.behaviour = lambda request: Reply(status)
    destination(backend).deliver(EVENT)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_bad_event_is_refused_with_the_reason_and_without_the_key(
    backend: Backend, destination: Maker, status: int
) -> None:
    backend.behaviour = lambda request: Reply(status, body=f"no runId; {KEY}".encode())
    with pytest.raises(DestinationRefused) as refusal:
        destination(backend, auth={"type": "api_key", "apiKey": KEY}).deliver(EVENT)
    assert refusal.value.reason == f"answers {status}: no runId; ***"


@pytest.mark.parametrize("status", [401, 403, 404, 405, 415])
def test_what_is_wrong_for_every_event_pauses(
    backend: Backend, destination: Maker, status: int
) -> None:
    backend.behaviour = lambda request: Reply(status)
    with pytest.raises(DestinationLocked, match=f"answers {status}"):
        destination(backend).deliver(EVENT)


@pytest.mark.parametrize(
    ("status", "whole"), [(408, False), (500, False), (502, False), (503, True)]
)
def test_server_trouble_is_for_later(
    backend: Backend, destination: Maker, status: int, whole: bool
) -> None:
    backend.behaviour = lambda request: Reply(status)
    with pytest.raises(DestinationBusy) as busy:
        destination(backend).deliver(EVENT)
    assert busy.value.whole is whole


def test_retry_after_in_both_its_forms(backend: Backend, destination: Maker) -> None:
    later = email.utils.format_datetime(clock.now() + timedelta(seconds=120), usegmt=True)
    for written, low, high in [("7", 7, 7), (later, 60, 120), ("soon", None, None)]:
        backend.behaviour = lambda request, w=written: Reply(429, {"Retry-After": w})
        with pytest.raises(DestinationBusy) as busy:
            destination(backend).deliver(EVENT)
        assert busy.value.whole
        if low is None or high is None:
            assert busy.value.retry_after is None
        else:
            assert busy.value.retry_after is not None
            assert low <= busy.value.retry_after <= high


@pytest.mark.parametrize("deed", ["hang", "reset", "half", "drip"])
def test_a_connection_that_goes_wrong_is_for_later(
    backend: Backend, destination: Maker, deed: str
) -> None:
    backend.behaviour = lambda request: Reply(deed=deed)
    with pytest.raises(DestinationBusy) as busy:
        destination(backend, timeout=0.3).deliver(EVENT)
    assert not busy.value.whole


def test_nobody_there_is_the_whole_destinations_trouble(destination: Maker) -> None:
    with running_backend() as backend:
        made = destination(backend)
    with pytest.raises(DestinationBusy, match="cannot be reached") as busy:
        made.deliver(EVENT)
    assert busy.value.whole


def test_a_redirect_within_the_host_is_followed(backend: Backend, destination: Maker) -> None:
    def move(request: object) -> Reply:
        at = getattr(request, "path", "")
        return Reply() if at == "/new" else Reply(308, {"Location": "/new"})

    backend.behaviour = move
    destination(backend).deliver(EVENT)
    assert backend.accepted == [EVENT.body]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(
    backend: Backend, destination: Maker, status: int
) -> None:
    with running_backend() as elsewhere:
        backend.behaviour = lambda request: Reply(status, {"Location": f"{elsewhere.url}/x"})
        with pytest.raises(DestinationLocked):
            destination(backend, auth={"type": "api_key", "apiKey": KEY}).deliver(EVENT)
        assert elsewhere.requests == []


def test_no_text_of_a_destination_shows_its_secrets(backend: Backend, destination: Maker) -> None:
    made = destination(
        backend,
        custom_headers={"X-Token": "header-secret"},
        auth={"type": "api_key", "apiKey": KEY},
    )
    shown = f"{made!r} {made._settings!r} {made}"
    assert KEY not in shown
    assert "header-secret" not in shown


def test_a_token_is_fetched_and_used_as_the_client_does(
    backend: Backend, destination: Maker
) -> None:
    def answer(request: Request) -> Reply:
        token = b'{"access_token": "fresh", "expires_in": 3600}'
        return Reply(200, body=token) if request.path == "/token" else Reply()

    backend.behaviour = answer
    auth = {
        "type": "oauth2",
        "clientId": "mainstem",
        "clientSecret": KEY,
        "tokenEndpoint": f"{backend.url}/token",
    }
    made = destination(backend, auth=auth)
    made.deliver(EVENT)
    made.deliver(EVENT)
    assert [request.path for request in backend.requests] == [
        "/token",
        "/api/v1/lineage",
        "/api/v1/lineage",
    ]
    assert backend.requests[-1].headers["Authorization"] == "Bearer fresh"
