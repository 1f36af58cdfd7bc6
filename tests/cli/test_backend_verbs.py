"""The backend's verbs as a user calls them: serve, import, export, rebuild, prune, token."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from mainstem.lab.services.ports import free_port

JOB = {"namespace": "kafka-connect://c", "name": "orders"}
RUN_ID = "0193348a-0000-7000-8000-00000000000{}"
TOPIC = {"namespace": "kafka://b:9092", "name": "orders"}
TABLE = {"namespace": "postgres://db:5432", "name": "shop.public.orders"}
PATIENCE_SECONDS = 60


def event(number: int, kind: str, second: int) -> dict[str, object]:
    return {
        "eventType": kind,
        "eventTime": f"2026-11-16T12:00:{second:02d}.000Z",
        "producer": "urn:test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": RUN_ID.format(number), "facets": {}},
        "job": {**JOB, "facets": {}},
        "inputs": [{**TABLE, "facets": {}}],
        "outputs": [{**TOPIC, "facets": {}}],
    }


def mainstem(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mainstem", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@contextmanager
def served(store: str) -> Iterator[str]:
    """The address of a backend that runs while the block does."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "mainstem", "serve", "--port", str(port), "--store", store],
        env=os.environ,
    )
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + PATIENCE_SECONDS
    try:
        while not _answers(url):
            assert process.poll() is None, "the backend ended while starting"
            assert time.monotonic() < deadline, "the backend does not answer"
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/readyz").status_code == 200
    except httpx2.HTTPError:
        return False


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store.db'}"


def test_events_go_in_are_served_and_come_out_again(store: str, tmp_path: Path) -> None:
    events = tmp_path / "events.ndjson"
    told = [event(1, "START", 0), event(1, "COMPLETE", 5)]
    events.write_text("".join(json.dumps(one) + "\n" for one in told))
    first = mainstem("import", events, "--store", store, "--json")
    assert json.loads(first.stdout) == {"version": 1, "read": 2, "stored": 2, "refused": 0}
    again = mainstem("import", events, "--store", store, "--json")
    assert json.loads(again.stdout)["stored"] == 0
    with served(store) as url:
        sent = httpx2.post(f"{url}/api/v1/lineage", json=event(2, "START", 10))
        assert (sent.status_code, sent.content) == (201, b"")
        node = "job:kafka-connect://c:orders"
        graph = httpx2.get(f"{url}/api/v1/lineage", params={"nodeId": node}).json()["graph"]
        assert {one["id"] for one in graph} == {
            node,
            "dataset:kafka://b:9092:orders",
            "dataset:postgres://db:5432:shop.public.orders",
        }
        run = httpx2.get(f"{url}/api/v1/jobs/runs/{RUN_ID.format(1)}").json()
        assert run["state"] == "COMPLETED"
    out = tmp_path / "out.ndjson"
    assert mainstem("export", out, "--store", store).returncode == 0
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert [one["run"]["runId"] for one in written] == [RUN_ID.format(n) for n in (1, 1, 2)]
    assert mainstem("rebuild", "--store", store).returncode == 0
    assert mainstem("prune", "--store", store).returncode == 0
    with served(store) as url:
        jobs = httpx2.get(f"{url}/api/v1/jobs").json()
        assert [job["name"] for job in jobs["jobs"]] == ["orders"]


def test_a_line_that_is_no_event_is_told_and_the_others_are_taken(
    store: str, tmp_path: Path
) -> None:
    events = tmp_path / "events.ndjson"
    events.write_text("{broken\n" + json.dumps(event(1, "START", 0)) + "\n")
    ran = mainstem("import", events, "--store", store, "--json")
    assert ran.returncode == 1
    assert json.loads(ran.stdout) == {"version": 1, "read": 2, "stored": 1, "refused": 1}
    missing = mainstem("import", tmp_path / "none.ndjson", "--store", store)
    assert missing.returncode == 2
    assert "is no file" in missing.stderr


def test_a_broken_gzip_file_is_told_and_what_came_before_is_taken(
    store: str, tmp_path: Path
) -> None:
    lines = "".join(json.dumps(event(1, "START", second)) + "\n" for second in range(60))
    whole = gzip.compress(lines.encode(), compresslevel=0)
    cut, other = tmp_path / "cut.ndjson.gz", tmp_path / "other.gz"
    cut.write_bytes(whole[: len(whole) // 2])
    other.write_text(lines)
    ran = mainstem("import", cut, other, "--store", store, "--json")
    told = json.loads(ran.stdout)
    assert (ran.returncode, told["refused"]) == (1, 2)
    assert 0 < told["stored"] == told["read"] < 60
    assert "Traceback" not in ran.stderr
    assert all(word in ran.stderr for word in ("cut.ndjson.gz", "other.gz", "unpacked"))
    cut.write_bytes(whole)
    rest = json.loads(mainstem("import", cut, "--store", store, "--json").stdout)
    assert (rest["read"], rest["stored"], rest["refused"]) == (60, 60 - told["stored"], 0)


def test_what_cannot_be_meant_is_refused_in_words_and_changes_nothing(
    store: str, tmp_path: Path
) -> None:
    events = tmp_path / "events.ndjson"
    events.write_text(json.dumps(event(1, "START", 0)) + "\n")
    assert mainstem("import", events, "--store", store).returncode == 0
    for told, *arguments in (
        ("cannot write /proc/none/out", "export", "/proc/none/out"),
        ("--events", "prune", "--events", "-1"),
        ("--runs", "prune", "--runs", "99999999999"),
        ("NAME is empty", "token", "create", " "),
    ):
        ran = mainstem(*arguments, "--store", store)
        assert (ran.returncode, told in ran.stderr) == (2, True), ran.stderr
        assert "Traceback" not in ran.stderr
    assert len(mainstem("export", "--store", store).stdout.splitlines()) == 1


def test_a_token_closes_the_door_for_others(store: str) -> None:
    secret = mainstem("token", "create", "me", "--scope", "write", "--store", store).stdout.strip()
    listed = mainstem("token", "list", "--json", "--store", store)
    assert secret
    assert secret not in listed.stdout
    with served(store) as url:
        assert httpx2.get(f"{url}/api/v1/namespaces").status_code == 401
        allowed = {"Authorization": f"Bearer {secret}"}
        assert httpx2.get(f"{url}/api/v1/namespaces", headers=allowed).status_code == 200


def test_an_issuer_that_is_not_there_is_told_and_keeps_nobody_else_out(store: str) -> None:
    secret = mainstem("token", "create", "me", "--store", store).stdout.strip()
    port, nobody = free_port(), f"http://127.0.0.1:{free_port()}"
    flags = ["--oidc-issuer", nobody, "--oidc-client-id", "mainstem", "--store", store]
    process = subprocess.Popen(
        [sys.executable, "-m", "mainstem", "serve", "--port", str(port), *flags],
        env={**os.environ, "MAINSTEM_OIDC_CLIENT_SECRET": "hush-314159"},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    lines: list[str] = []
    try:
        for line in process.stderr:
            lines.append(line)
            if "nobody can sign in" in line:
                break
        session = httpx2.get(f"http://127.0.0.1:{port}/api/v2/session").json()
        assert session["oidc"]["url"] == f"http://127.0.0.1:{port}/api/v2/session/oidc"
        allowed = {"Authorization": f"Bearer {secret}"}
        jobs = httpx2.get(f"http://127.0.0.1:{port}/api/v1/jobs", headers=allowed)
        assert jobs.status_code == 200
    finally:
        process.terminate()
        lines += process.communicate(timeout=30)[1].splitlines()
    printed = "\n".join(lines)
    assert f"{nobody}/.well-known/openid-configuration: cannot be reached" in printed
    assert "hush" not in printed
