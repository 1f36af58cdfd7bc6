from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import httpx2
import pytest

from mainstem.errors import ConnectRefused, ConnectUnavailable
from mainstem.watch.connect.client import ConnectAccess, ConnectClient, Limits
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.connect.secret import Secret
from mainstem.watch.connect.snapshot import State
from recorded import answering, recorded, response

KEYS = AllowedKeys(["connector.class", "topics", "file", "topic"])


def client_for(
    *names: str, urls: tuple[str, ...] = ("http://worker:8083",)
) -> tuple[ConnectClient, list[httpx2.Request]]:
    answers = iter(names)
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return response(next(answers))

    return ConnectClient(ConnectAccess(urls), KEYS, transport=answering(answer)), asked


def test_one_look_is_one_get_request() -> None:
    client, asked = client_for("healthy_all7_connectors_expand_info_status")
    snapshot = client.look()
    assert [(request.method, request.url.raw_path) for request in asked] == [
        ("GET", b"/connectors?expand=info&expand=status")
    ]
    body = recorded("healthy_all7_connectors_expand_info_status")["body"]
    assert set(snapshot.connectors) == set(body)
    assert all(each.state is State.RUNNING for each in snapshot.connectors.values())


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("startup_404_html_connectors_expand", ConnectUnavailable),
        ("rebalance_500_GET_connectors-file-src", ConnectUnavailable),
        ("create_POST_duplicate_409", ConnectUnavailable),
        ("auth_401_no_credentials", ConnectRefused),
        ("auth_401_bad_password", ConnectRefused),
    ],
)
def test_no_answer_is_not_an_empty_cluster(answer: str, error: type[Exception]) -> None:
    client, _ = client_for(answer)
    with pytest.raises(error):
        client.look()


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b"<html>login</html>", b"\xff\xfe", b"nul"]
)
def test_a_body_that_is_not_a_map_of_connectors_is_no_answer(body: bytes) -> None:
    transport = answering(
        lambda _: httpx2.Response(200, content=body, headers={"content-type": "application/json"})
    )
    client = ConnectClient(ConnectAccess(("http://w",)), KEYS, transport=transport)
    with pytest.raises(ConnectUnavailable):
        client.look()


def test_a_login_page_is_no_answer_and_no_redirect_is_followed() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        if len(asked) == 1:
            return httpx2.Response(302, headers={"location": "http://elsewhere/login"})
        return httpx2.Response(200, content=b"<html>", headers={"content-type": "text/html"})

    client = ConnectClient(ConnectAccess(("http://w",)), KEYS, transport=answering(answer))
    for _ in range(2):
        with pytest.raises(ConnectUnavailable):
            client.look()
    assert {httpx2.URL(url).host for url in asked} == {"w"}


def test_an_answer_larger_than_allowed_is_given_up() -> None:
    transport = answering(
        lambda _: httpx2.Response(
            200, content=b" " * 4096, headers={"content-type": "application/json"}
        )
    )
    limits = Limits(look_bytes=1024)
    client = ConnectClient(ConnectAccess(("http://w",)), KEYS, limits, transport)
    with pytest.raises(ConnectUnavailable, match="larger than 1024 bytes"):
        client.look()


@pytest.fixture
def dripping_worker() -> Iterator[str]:
    """A worker that sends its answer a byte at a time and never comes to the end."""
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                b"Content-Length: 1000000\r\n\r\n"
            )
            while not ended.wait(0.02):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

    thread = threading.Thread(target=drip)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    ended.set()
    thread.join()
    listener.close()


def test_a_worker_that_drips_is_given_up_in_bounded_time(dripping_worker: str) -> None:
    limits = Limits(look_seconds=0.3)
    with (
        ConnectClient(ConnectAccess((dripping_worker,)), KEYS, limits) as client,
        pytest.raises(ConnectUnavailable, match="too long"),
    ):
        client.look()


def test_the_next_worker_is_asked_when_one_is_away_and_stays_preferred() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        if request.url.host == "one":
            raise httpx2.ConnectError("refused")
        return response("connectors_empty_expand")

    access = ConnectAccess(("http://one:8083", "http://two:8083"))
    client = ConnectClient(access, KEYS, transport=answering(answer))
    client.look()
    client.look()
    assert asked == ["one", "two", "two"]


def test_odd_names_are_percent_encoded_and_empty_topics_are_unknown() -> None:
    client, asked = client_for("healthy_pg-src_topics", "connector_missing_200_empty_topics")
    assert client.topics("pg-src") == ("shop.inventory.customers", "shop.inventory.orders")
    assert client.topics("my conn: é/x") is None
    assert asked[1].url.raw_path == b"/connectors/my%20conn%3A%20%C3%A9%2Fx/topics"


def test_topics_that_are_not_tracked_are_unknown() -> None:
    client, _ = client_for("topics_tracking_disabled_403")
    assert client.topics("f") is None


def test_worker_tells_version_and_kafka_cluster() -> None:
    client, _ = client_for("root_GET")
    worker = client.worker()
    assert (worker.version, worker.kafka_cluster_id) == ("4.3.1", "h4h4h4h4h4h4h4h4h4h4hA")


def test_credentials_open_the_door_and_never_show() -> None:
    seen: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers["authorization"])
        return response("auth_401_no_credentials")

    access = ConnectAccess(("http://w",), bearer=Secret("hunter2"))
    client = ConnectClient(access, KEYS, transport=answering(answer))
    with pytest.raises(ConnectRefused) as caught:
        client.look()
    assert seen == ["Bearer hunter2"]
    assert "hunter2" not in f"{caught.value!r} {caught.value} {access!r}"
