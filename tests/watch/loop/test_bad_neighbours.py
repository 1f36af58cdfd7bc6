"""A Connect that misbehaves in every way costs bounded time and memory, and others go on."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from mainstem import clock
from mainstem.errors import ConnectUnavailable
from mainstem.outbox.connection import connect_to_read
from mainstem.recipe import Recipe
from mainstem.watch.connect.client import ConnectAccess, ConnectClient, Limits
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.journal import Journal, read_clusters
from mainstem.watch.loop.cluster import Surroundings
from mainstem.watch.loop.watching import Watcher
from watch.loop.world import FILE_SINK

MEGABYTE = 1024 * 1024
JSON_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

Misbehaviour = Callable[[socket.socket, threading.Event], None]


def answering(status: bytes, kind: bytes, body: bytes) -> Misbehaviour:
    def answer(connection: socket.socket, _over: threading.Event) -> None:
        head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % (status, kind, len(body)) + body)

    return answer


def hang(_connection: socket.socket, over: threading.Event) -> None:
    over.wait(60)


def drip(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(JSON_HEAD + b"Content-Length: 1000000\r\n\r\n")
    while not over.wait(0.05):
        connection.sendall(b" ")


def reset(connection: socket.socket, _over: threading.Event) -> None:
    connection.sendall(JSON_HEAD + b"Content-Length: 1000\r\n\r\n{")


def a_gigabyte(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(JSON_HEAD + b"Content-Length: %d\r\n\r\n" % (1024 * MEGABYTE))
    for _ in range(1024):
        if over.is_set():
            return
        connection.sendall(b" " * MEGABYTE)


BAD: dict[str, Misbehaviour] = {
    "409": answering(b"409 Conflict", b"application/json", b'{"error_code":409}'),
    "500": answering(b"500 Error", b"application/json", b'{"error_code":500}'),
    "login page": answering(b"200 OK", b"text/html", b"<html>sign in</html>"),
    "truncated JSON": answering(b"200 OK", b"application/json", b'{"a": {"info": '),
    "hangs": hang,
    "drips": drip,
    "resets": reset,
    "1 GB": a_gigabyte,
}


@contextmanager
def misbehaving(how: Misbehaviour) -> Iterator[str]:
    """A server on a free loopback port that does this to every connection."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    def one(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(65536)
                how(connection, over)
            except OSError:
                return

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


@pytest.mark.parametrize("how", BAD)
def test_no_answer_is_given_up_in_bounded_time(how: str) -> None:
    limits = Limits(look_seconds=0.5, detail_seconds=0.5, look_bytes=8 * MEGABYTE)
    with (
        misbehaving(BAD[how]) as url,
        ConnectClient(ConnectAccess((url,)), AllowedKeys([]), limits) as client,
        pytest.raises(ConnectUnavailable),
    ):
        client.look()


def test_a_gigabyte_is_not_kept_in_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    limits = Limits(look_bytes=32 * MEGABYTE)
    with (
        misbehaving(a_gigabyte) as url,
        ConnectClient(ConnectAccess((url,)), AllowedKeys([]), limits) as client,
        pytest.raises(ConnectUnavailable, match="larger than"),
    ):
        client.look()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 128 * 1024, f"{grown} kB"


@pytest.mark.parametrize("how", BAD)
def test_another_cluster_goes_on(how: str, tmp_path: Path) -> None:
    """A look at the bad one ends within its limits or not at all; the good one is not delayed."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    good = FakeConnect()
    good.create("out", FILE_SINK)
    path = tmp_path / "journal.db"
    limits = Limits(look_seconds=2.0, detail_seconds=2.0, look_bytes=32 * MEGABYTE)
    with misbehaving(BAD[how]) as bad_url, FakeConnectServer(good) as server:
        clusters = [
            {"name": "bad", "urls": [bad_url], "interval": 1},
            {"name": "good", "urls": [server.url], "interval": 1},
        ]
        journal = Journal.open(path)
        recipe = Recipe.model_validate({"clusters": clusters})
        watcher = Watcher(recipe, Surroundings(journal, clock.now, limits=limits), {})
        running = threading.Thread(target=watcher.run, args=(lambda: recipe,))
        running.start()
        try:
            until(lambda: types(path) == ["START"])
            good.pause("out")
            until(lambda: types(path) == ["START", "COMPLETE"])
            until(lambda: any(row.trouble for row in read_clusters(path)))
            assert watcher.lifeless() == ()
        finally:
            watcher.stop()
            running.join()
            journal.close()
    bad, healthy = read_clusters(path)
    assert (bad.name, bad.last_success, healthy.trouble) == ("bad", None, None)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 128 * 1024, f"{grown} kB"


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def types(journal: Path) -> list[str]:
    connection = connect_to_read(journal)
    rows = connection.execute("SELECT body FROM outbox_event ORDER BY id").fetchall()
    connection.close()
    return [orjson.loads(body)["eventType"] for (body,) in rows]
