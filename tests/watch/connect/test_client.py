from __future__ import annotations

import gzip
import socket
import threading
import tracemalloc
from collections.abc import Iterator
from typing import Any, cast

import pytest
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError, ReadTimeoutError

from mainstem.errors import ConnectRefused, ConnectUnavailable
from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.connect.client import ConnectAccess, ConnectClient, Limits
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_http import Answered, Asked, FakeHttp
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.connect.secret import Secret
from mainstem.watch.connect.snapshot import State
from recorded import recorded, response

KEYS = AllowedKeys(["connector.class", "topics", "file", "topic"])


def client_for(
    *names: str, urls: tuple[str, ...] = ("http://worker:8083",)
) -> tuple[ConnectClient, list[Asked]]:
    answers = iter(names)
    asked: list[Asked] = []

    def answer(request: Asked) -> Answered:
        asked.append(request)
        return response(next(answers))

    return ConnectClient(ConnectAccess(urls), KEYS, http=FakeHttp(answer)), asked


def test_one_look_is_one_get_request() -> None:
    client, asked = client_for("healthy_all7_connectors_expand_info_status")
    snapshot = client.look()
    assert [(request.method, request.target) for request in asked] == [
        ("GET", "/connectors?expand=info&expand=status")
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
    http = FakeHttp(lambda _: Answered(200, body=body))
    client = ConnectClient(ConnectAccess(("http://w",)), KEYS, http=http)
    with pytest.raises(ConnectUnavailable):
        client.look()


def test_a_login_page_is_no_answer_and_no_redirect_is_followed() -> None:
    asked: list[str | None] = []

    def answer(request: Asked) -> Answered:
        asked.append(request.host)
        if len(asked) == 1:
            return Answered(302, headers={"location": "http://elsewhere/login"})
        return Answered(200, "text/html", b"<html>")

    client = ConnectClient(ConnectAccess(("http://w",)), KEYS, http=FakeHttp(answer))
    for _ in range(2):
        with pytest.raises(ConnectUnavailable):
            client.look()
    assert asked == ["w", "w"]


def test_an_answer_larger_than_allowed_is_given_up() -> None:
    http = FakeHttp(lambda _: Answered(200, body=b" " * 4096))
    limits = Limits(look_bytes=1024)
    client = ConnectClient(ConnectAccess(("http://w",)), KEYS, limits, http)
    with pytest.raises(ConnectUnavailable, match="larger than 1024 bytes"):
        client.look()


def test_a_compressed_answer_is_read_and_one_that_swells_is_given_up() -> None:
    small = gzip.compress(b'{"a": {"topics": ["t"]}}')
    large = gzip.compress(b" " * 5_000_000)
    packed = {"Content-Encoding": "gzip"}
    answers = iter(
        [Answered(200, body=small, headers=packed), Answered(200, body=large, headers=packed)]
    )
    limits = Limits(detail_bytes=100_000)
    client = ConnectClient(
        ConnectAccess(("http://w",)), KEYS, limits, FakeHttp(lambda _: next(answers))
    )
    assert client.topics("a") == ("t",)
    tracemalloc.start()
    with pytest.raises(ConnectUnavailable, match="larger than 100000 bytes"):
        client.topics("a")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000


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


@pytest.fixture
def impatient_worker() -> Iterator[tuple[str, list[bytes]]]:
    """A worker that ends each connection after one answer, which it does not announce."""
    listener = socket.create_server(("127.0.0.1", 0))
    asked: list[bytes] = []
    body = b'{"a": {"topics": ["t"]}}'

    def answer() -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                request = connection.recv(65536)
                if not request:
                    return
                asked.append(request)
                head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                connection.sendall(b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body))

    thread = threading.Thread(target=answer)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
    socket.create_connection(listener.getsockname()).close()
    thread.join()
    listener.close()


def test_a_connection_that_the_worker_ended_is_opened_again(
    impatient_worker: tuple[str, list[bytes]],
) -> None:
    url, asked = impatient_worker
    with ConnectClient(ConnectAccess((url,)), KEYS) as client:
        assert [client.topics("a") for _ in range(3)] == [("t",)] * 3
    assert all(request.startswith(b"GET /connectors/a/topics HTTP/1.1") for request in asked)
    assert len(asked) == 3


def test_what_was_not_read_of_an_answer_is_not_taken_for_the_next() -> None:
    connect = FakeConnect()
    connect.create("a", {"connector.class": "FileStreamSource"}).topics = ("t",)
    limits = Limits(look_bytes=100)
    with (
        AnsweringServer(connect.answer) as worker,
        ConnectClient(ConnectAccess((worker.url,)), KEYS, limits) as client,
    ):
        with pytest.raises(ConnectUnavailable, match="larger than 100 bytes"):
            client.look()
        assert client.topics("a") == ("t",)


def test_the_next_worker_is_asked_when_one_is_away_and_stays_preferred() -> None:
    asked: list[str | None] = []

    def answer(request: Asked) -> Answered:
        asked.append(request.host)
        if request.host == "one":
            raise ConnectTimeoutError("away")
        return response("connectors_empty_expand")

    access = ConnectAccess(("http://one:8083", "http://two:8083"))
    client = ConnectClient(access, KEYS, http=FakeHttp(answer))
    client.look()
    client.look()
    assert asked == ["one", "two", "two"]


@pytest.mark.parametrize(
    ("silence", "told"),
    [
        (ReadTimeoutError(cast("Any", None), "/", "slow"), "does not answer in time"),
        (ConnectTimeoutError("slow"), "does not answer in time"),
        (NewConnectionError(cast("Any", None), "closed"), "cannot be reached"),
    ],
)
def test_silence_is_told_in_words(silence: Exception, told: str) -> None:
    def answer(_: Asked) -> Answered:
        raise silence

    client = ConnectClient(ConnectAccess(("http://one:8083",)), KEYS, http=FakeHttp(answer))
    with pytest.raises(ConnectUnavailable, match=told):
        client.look()


def test_odd_names_are_percent_encoded_and_empty_topics_are_unknown() -> None:
    client, asked = client_for("healthy_pg-src_topics", "connector_missing_200_empty_topics")
    assert client.topics("pg-src") == ("shop.inventory.customers", "shop.inventory.orders")
    assert client.topics("my conn: é/x") is None
    assert asked[1].target == "/connectors/my%20conn%3A%20%C3%A9%2Fx/topics"


def test_topics_that_are_not_tracked_are_refused_which_is_no_empty_answer() -> None:
    client, _ = client_for("topics_tracking_disabled_403")
    with pytest.raises(ConnectRefused, match="HTTP 403: topic tracking is off"):
        client.topics("f")


def test_worker_tells_version_and_kafka_cluster() -> None:
    client, _ = client_for("root_GET")
    worker = client.worker()
    assert (worker.version, worker.kafka_cluster_id) == ("4.3.1", "h4h4h4h4h4h4h4h4h4h4hA")


def test_credentials_open_the_door_and_never_show() -> None:
    seen: list[str] = []

    def answer(request: Asked) -> Answered:
        seen.append(request.headers["Authorization"])
        return response("auth_401_no_credentials")

    access = ConnectAccess(("http://w",), bearer=Secret("hunter2"))
    client = ConnectClient(access, KEYS, http=FakeHttp(answer))
    with pytest.raises(ConnectRefused) as caught:
        client.look()
    assert seen == ["Bearer hunter2"]
    assert "hunter2" not in f"{caught.value!r} {caught.value} {access!r}"
