"""Hostile requests to a real server: refused with a reason, memory bounded, others still served."""

from __future__ import annotations

import gzip
import json
import math
import random
import socket
from pathlib import Path

import httpx2
import orjson
import pytest

from serve_fixtures import mangled, run_event, sqlite_url
from serve_running import Running, running

JSON = {"Content-Type": "application/json"}
VALID = orjson.dumps(run_event(inputs=["a"], outputs=["b"]))


def wrapped(value: bytes) -> bytes:
    """A valid event with some JSON as a facet's contents."""
    return VALID.replace(b'"facets":{}', b'"facets":{"f":{"v":%b}}' % value, 1)


HOSTILE = {
    "depth": b"[" * 100_000,
    "nested facet": wrapped(b"[" * 250 + b"]" * 250),
    "deeply nested facet": wrapped(b"[" * 900 + b"]" * 900),
    "huge number": wrapped(b"1" + b"0" * 5000),
    "huge float": wrapped(b"1e400"),
    "tiny float": wrapped(b"1e-400"),
    "integer beyond 64 bits": wrapped(b"18446744073709551616"),
    "NUL": wrapped(b'"\\u0000"'),
    "NUL in a name": VALID.replace(b'"name":"job"', b'"name":"j\\u0000b"'),
    "lone surrogate": wrapped(b'"\\ud800"'),
    "lone surrogate in bytes": wrapped(b'"\xed\xa0\x80"'),
    "broken UTF-8": wrapped(b'"\xff"'),
    "byte order mark": b"\xef\xbb\xbf" + VALID,
    "many keys": wrapped(orjson.dumps({f"k{at}": at for at in range(50_000)})),
    "one key twice": VALID.replace(b'"eventTime"', b'"eventType":7,"eventTime"', 1),
    "one key twice, once beyond bounds": VALID.replace(
        b'"eventTime"', b'"eventType":1e999,"eventTime"', 1
    ),
    "a facet twice, once beyond bounds": VALID.replace(
        b'"name":"a"', b'"name":"a","facets":{"f":{"v":1e999}},"facets":{}', 1
    ),
    "a name of a megabyte": VALID.replace(b'"name":"job"', b'"name":"%b"' % (b"x" * 1_000_000)),
    "year 10000": VALID.replace(b"2026-11-15", b"10000-01-01"),
    "before year 1": VALID.replace(b"2026-11-15T10:00:00Z", b"0001-01-01T00:00:00+14:00"),
    "after year 9999": VALID.replace(b"2026-11-15T10:00:00Z", b"9999-12-31T23:59:59-14:00"),
    "a window of for ever": VALID.replace(
        b'"name":"job","facets":{}',
        b'"name":"job","facets":{"jobType":{"emissionPattern":{"windowDuration":1e308}}}',
    ),
    "wrong types everywhere": b'{"eventTime":1,"producer":2,"run":[],"job":"x","inputs":{}}',
    "null": b"null",
    "empty": b"",
}
BOMBS = {
    "a bomb": gzip.compress(b" " * 200_000_000, 9),
    "a bomb in two members": gzip.compress(b" " * 20_000_000) * 2,
    "half a stream": gzip.compress(VALID)[:-9],
    "no gzip": VALID,
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_json_is_no_server_error(server: Running, what: str) -> None:
    answer = httpx2.post(f"{server.url}/api/v1/lineage", content=HOSTILE[what], headers=JSON)
    assert answer.status_code in (201, 400, 413, 422), answer.text
    many = httpx2.post(
        f"{server.url}/api/v1/lineage/batch", content=b"[%b]" % HOSTILE[what], headers=JSON
    )
    assert many.status_code in (200, 400, 413, 422), many.text


def test_what_was_taken_is_told_again_as_json(server: Running) -> None:
    def finite(text: str) -> float:
        assert math.isfinite(float(text)), text
        return float(text)

    for body in HOSTILE.values():
        httpx2.post(f"{server.url}/api/v1/lineage", content=body, headers=JSON)
    told = httpx2.get(f"{server.url}/api/v1/events/lineage?limit=1000").content
    events = json.loads(told, parse_constant=pytest.fail, parse_float=finite)["events"]
    assert len(events) == orjson.loads(told)["totalCount"] > 1


@pytest.mark.parametrize("what", BOMBS)
def test_gzip_bombs_are_refused(server: Running, what: str) -> None:
    headers = {**JSON, "Content-Encoding": "gzip"}
    for path in ("/api/v1/lineage", "/api/v1/lineage/batch"):
        answer = httpx2.post(f"{server.url}{path}", content=BOMBS[what], headers=headers)
        assert answer.status_code in (400, 413), answer.text
        assert answer.json()["code"] == answer.status_code


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> object:
    with running(sqlite_url(tmp_path_factory.mktemp("hostile"))) as server:
        yield server


def flood(server: Running, count: int) -> None:
    """Send mangled events; memory stays bounded and valid ones are served afterwards."""
    source = random.Random(count)
    with httpx2.Client(base_url=server.url, timeout=60) as client:

        def send(most: int) -> int:
            for _ in range(most):
                answer = client.post("/api/v1/lineage", content=mangled(source), headers=JSON)
                assert answer.status_code in (201, 400, 413, 422), answer.text
            return server.resident_kilobytes()

        grown = -send(count // 5) + send(count - count // 5)
        assert grown < 60_000, f"{grown} kB more after {count} malformed events"
        valid = run_event(job="still served", run="after the flood")
        assert client.post("/api/v1/lineage", json=valid).status_code == 201
        for path in ("/api/v1/jobs", "/api/v1/namespaces", "/api/v2/summary"):
            assert client.get(path).status_code == 200
        found = client.get("/api/v1/namespaces/jobs/jobs/still%20served")
        assert found.json()["latestRun"]["state"] == "COMPLETED"


@pytest.mark.slow
def test_malformed_events_are_refused_and_valid_ones_still_served(server: Running) -> None:
    flood(server, 500)


@pytest.mark.slow
def test_what_is_kept_at_hand_of_large_facets_is_bounded(server: Running) -> None:
    def send(numbers: range) -> int:
        for number in numbers:
            facets = {"large": {"words": [f"{number:08}"] * 300_000}}
            output = {"namespace": "large", "name": f"d{number}", "facets": facets}
            event = run_event(run=f"large {number}", outputs=[output])
            answer = httpx2.post(f"{server.url}/api/v1/lineage", json=event, timeout=60)
            assert answer.status_code == 201, answer.text
        return server.resident_kilobytes()

    grown = -send(range(8)) + send(range(8, 20))
    assert grown < 100_000, f"{grown} kB more after 12 events of 3 MB"


@pytest.mark.soak
def test_ten_thousand_malformed_events(server: Running) -> None:
    flood(server, 10_000)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /api/v1/lineage HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/v1/lineage HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
        b"PUT /api/v2/aliases HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    ],
)
def test_a_request_that_never_ends_is_ended(tmp_path: Path, sent: bytes) -> None:
    with (
        running(sqlite_url(tmp_path), seconds_to_send=0.5) as server,
        socket.create_connection(("127.0.0.1", server.port)) as slow,
    ):
        slow.settimeout(30)
        slow.sendall(sent)
        answer = b"".join(iter(lambda: slow.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 408")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == 408


def test_headers_are_bounded_and_what_is_no_http_has_the_one_error_shape(server: Running) -> None:
    large = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-A: %b\r\n" % (b"a" * 1000) * 100
    for sent, code in ((large, 431), (b"garbage\r\n\r\n", 400)):
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            one.settimeout(30)
            one.sendall(sent)
            answer = b"".join(iter(lambda: one.recv(65536), b""))
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == code
