"""The verb as people and machines call it: what it asks, what it writes, what it never shows."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson
import pytest

from doctor_drawing import Doctor
from mainstem.doctor.reading import brokers
from mainstem.serve.api.v2 import shapes
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from serve_fixtures import run_event
from watch.loop.world import FILE_SOURCE

TOKEN = "mst-very-secret"
B1, LOCAL = "kafka://broker-1:9092", "kafka://localhost:9092"


def topic(namespace: str) -> dict[str, str]:
    return {"namespace": namespace, "name": "orders"}


def cut_estate(read: str) -> bytes:
    """What a backend answers of a topic that is written under one name and read under another."""
    dataset: dict[str, Any] = {"kind": "TOPIC", "aliases": [], "fields": [], "formerColumns": []}
    job = shapes.EstateJob(
        namespace="jobs", name="w", integration=None, type=None, streaming=True, parent=None,
        state=None, stale=False, heartbeatSeconds=None, beganAt=None, toldAt=None, inputs=[],
        outputs=[0], pairs=None, evidence=[], connectorClass=None, unresolved=[], columnsMade=[],
        columnsRead=[],
    )  # fmt: skip
    reader = job.model_copy(update={"name": "r", "inputs": [1], "outputs": []})
    datasets = [shapes.EstateDataset(**topic(one), **dataset) for one in (B1, read)]
    estate = shapes.Estate(
        madeAt="2026-11-15T12:00:00Z", datasets=datasets, jobs=[job, reader], aliases=[],
        rejected=[],
    )  # fmt: skip
    return estate.model_dump_json().encode()


class Recording(ThreadingHTTPServer):
    """A backend that answers one estate and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str]] = []
        self.tokens: set[str | None] = set()
        self.reads = LOCAL
        self.answers = 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def answer(self) -> None:
        assert isinstance(self.server, Recording)
        self.server.asked.append((self.command, self.path))
        self.server.tokens.add(self.headers.get("Authorization"))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = cut_estate(self.server.reads) if self.command == "GET" else b"{}"
        self.send_response(200 if self.command == "GET" else self.server.answers)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_DELETE = do_POST = do_PATCH = answer  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002


@pytest.fixture
def backend() -> Iterator[Recording]:
    server = Recording()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_nothing_but_get_is_sent_unless_a_fix_is_asked_for(
    backend: Recording, doctor: Doctor
) -> None:
    for flags in ((), ("--json",), ("--fail-on", "warn")):
        doctor(backend.url, *flags)
    assert doctor(backend.url, "--fix").code == 2  # nobody can be asked here
    assert {method for method, _ in backend.asked} == {"GET"}
    assert doctor(backend.url, "--fix", "--yes").code == 0
    assert ("PUT", "/api/v2/aliases") in backend.asked
    assert doctor("--undo", "--yes").code == 0
    assert backend.asked[-1] == ("DELETE", "/api/v2/aliases?forget=true")


def test_a_token_is_sent_and_never_shown(
    backend: Recording, doctor: Doctor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", TOKEN)
    shown = "".join(
        part
        for flags in ((), ("--json",), ("--fix", "--yes"))
        for part in doctor(backend.url, *flags)[1:]
    )
    assert backend.tokens == {f"Bearer {TOKEN}"}
    kept = "".join(file.read_text() for file in tmp_path.rglob("*") if file.is_file())
    assert TOKEN not in shown + kept
    user = backend.url.replace("://", "://me:pass-word@")
    assert "pass-word" not in "".join(doctor(user.replace("127", "128"))[1:])


def test_json_is_what_the_api_states(backend: Recording, doctor: Doctor) -> None:
    told = json.loads(doctor(backend.url, "--json").stdout)
    assert told.pop("version") == 1
    found = shapes.Findings.model_validate(told)
    assert [one.kind for one in found.findings] == ["server-loopback"]
    assert found.counts.error == 1


def test_json_stays_json_when_a_fix_is_written(backend: Recording, doctor: Doctor) -> None:
    ran = doctor(backend.url, "--json", "--fix", "--yes")
    assert len(json.loads(ran.stdout)["findings"]) == 1
    assert f"+ alias {LOCAL} is {B1}" in ran.stderr


def test_people_are_told_the_lines_to_add(backend: Recording, doctor: Doctor) -> None:
    said = doctor(backend.url).stdout
    assert "server-loopback" in said
    assert f'    "{B1}":' in said.replace("  " * 2, "    ")
    assert "2 datasets and 2 jobs: 1 error" in said


RECIPE = """\
# made by hand
clusters:
  - name: prod   # ours
    urls: [{connect}]
    kafka: {{bootstrap: "broker-1:9092"}}
    username: watcher
    password: pass-word
"""


@pytest.fixture
def cluster() -> Iterator[FakeConnectServer]:
    fake = FakeConnect()
    fake.create("in", FILE_SOURCE)
    with FakeConnectServer(fake) as served:
        yield served


def test_a_recipe_is_written_and_becomes_what_it_was(
    backend: Recording, cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    recipe = tmp_path / "recipe.yml"
    before = RECIPE.format(connect=cluster.url)
    recipe.write_text(before)
    recipe.chmod(0o640)
    ran = doctor(backend.url, "-c", str(recipe), "--fix", "--yes")
    assert ran.code == 0, ran.stderr
    assert f'+    - "{LOCAL}"' in ran.stdout
    assert "pass-word" not in ran.stdout + ran.stderr
    after = recipe.read_text()
    assert after.startswith(before)
    assert recipe.stat().st_mode & 0o777 == 0o640
    assert doctor("--undo", "--yes").code == 0
    assert recipe.read_text() == before
    assert [file.name for file in tmp_path.iterdir() if "bak" in file.name] == []


def test_of_a_recipe_in_one_line_only_what_is_added_is_shown(
    backend: Recording, cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    recipe = tmp_path / "recipe.yml"
    access = {"username": "watcher", "password": "pass-word", "urls": [cluster.url]}
    recipe.write_bytes(orjson.dumps({"clusters": [{"name": "prod", **access}]}))
    ran = doctor(backend.url, "-c", str(recipe), "--fix", "--yes")
    assert ran.code == 0, ran.stderr
    assert f'"namespaces": {{"{B1}": ["{LOCAL}"]}}' in ran.stdout
    assert "pass-word" not in ran.stdout + ran.stderr


def test_fixes_are_taken_back_one_after_another(
    backend: Recording, cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    recipe = tmp_path / "recipe.yml"
    recipe.write_text(RECIPE.format(connect=cluster.url))
    before: list[str] = []
    for backend.reads in (LOCAL, "kafka://127.0.0.1:9092", "kafka://broker-2:9092"):
        before.append(recipe.read_text())
        assert doctor(backend.url, "-c", str(recipe), "--fix", "--yes").code == 0
    assert len(set(before)) == len(before)
    for text, left in zip(reversed(before), ("2 earlier", "1 earlier", "no earlier"), strict=True):
        ran = doctor("--undo", "--yes")
        assert ran.code == 0, ran.stderr
        assert left in ran.stderr
        assert recipe.read_text() == text
    assert backend.asked.count(("DELETE", "/api/v2/aliases?forget=true")) == len(before)
    assert "there is no fix to take back" in doctor("--undo", "--yes").stderr
    assert [file.name for file in tmp_path.iterdir() if "bak" in file.name] == []


def test_a_recipe_that_was_written_since_does_not_hold_up_the_fixes_before(
    backend: Recording, cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    recipes = [tmp_path / name for name in ("first.yml", "second.yml", "third.yml")]
    before = RECIPE.format(connect=cluster.url)
    for recipe in recipes:
        recipe.write_text(before)
        doctor(backend.url, "-c", str(recipe), "--fix", "--yes")
    recipes[1].write_text(f"{before}# by hand")
    recipes[2].unlink()
    gone, changed, undone = (doctor("--undo", "--yes") for _ in recipes)
    assert (gone.code, "is gone" in gone.stderr) == (2, True)
    assert (changed.code, "was changed since" in changed.stderr) == (2, True)
    assert undone.code == 0, undone.stderr
    assert recipes[0].read_text() == before


def test_a_fix_that_cannot_be_remembered_is_not_made(
    backend: Recording, doctor: Doctor, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("no directory")
    ran = doctor(backend.url, "--fix", "--yes")
    assert (ran.code, "doctor-fixes.json" in ran.stderr) == (2, True)
    assert {method for method, _ in backend.asked} == {"GET"}


def test_a_fix_that_the_backend_refuses_is_none(
    backend: Recording, cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    backend.answers = 403
    refused = doctor(backend.url, "--fix", "--yes")
    assert (refused.code, "write token" in refused.stderr) == (4, True)
    assert "no fix to take back" in doctor("--undo", "--yes").stderr
    recipe = tmp_path / "recipe.yml"
    before = RECIPE.format(connect=cluster.url)
    recipe.write_text(before)
    half = doctor(backend.url, "-c", str(recipe), "--fix", "--yes")
    assert (half.code, "only a part was written" in half.stderr) == (4, True)
    backend.answers = 200
    assert doctor("--undo", "--yes").code == 0
    assert recipe.read_text() == before


def test_a_fix_is_taken_back_where_it_was_written(backend: Recording, doctor: Doctor) -> None:
    user = backend.url.replace("://", "://me:pass-word@")
    assert doctor(user, "--fix", "--yes").code == 0
    elsewhere = doctor("http://127.0.0.1:9", "--undo", "--yes")
    assert (elsewhere.code, backend.url in elsewhere.stderr) == (2, True)
    backend.tokens.clear()
    undone = doctor(user, "--undo", "--yes")
    assert undone.code == 0, undone.stderr
    assert "pass-word" not in undone.stdout + undone.stderr
    assert [str(one).partition(" ")[0] for one in backend.tokens] == ["Basic"]


def test_a_recipe_that_was_changed_since_is_left_alone(
    backend: Recording, cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    recipe = tmp_path / "recipe.yml"
    recipe.write_text(RECIPE.format(connect=cluster.url))
    doctor(backend.url, "-c", str(recipe), "--fix", "--yes")
    changed = recipe.read_text() + "# later\n"
    recipe.write_text(changed)
    ran = doctor("--undo", "--yes")
    assert ran.code == 2
    assert "was changed since" in ran.stderr
    assert recipe.read_text() == changed


def test_clusters_of_a_recipe_are_looked_at(
    cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    """Two Connect clusters on one Kafka that the recipe calls by two names."""
    recipe = tmp_path / "recipe.yml"
    first = RECIPE.format(connect=cluster.url)
    other = first.replace("name: prod", "name: dr").replace("broker-1", "elsewhere")
    recipe.write_text(first + other.partition("clusters:\n")[2])
    ran = doctor("-c", str(recipe), "--json")
    assert ran.code == 0, ran.stderr
    found = json.loads(ran.stdout)["findings"]
    assert [(one["kind"], one["confidence"]) for one in found] == [("kafka-cluster-id", "certain")]
    assert doctor("-c", str(recipe), "--fix", "--yes").code == 0
    assert json.loads(doctor("-c", str(recipe), "--json").stdout)["findings"] == []


def test_a_cluster_that_cannot_be_reached(doctor: Doctor, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.yml"
    recipe.write_text(RECIPE.format(connect="http://127.0.0.1:9"))
    ran = doctor("-c", str(recipe))
    assert ran.code == 3
    assert "pass-word" not in ran.stderr


def test_a_file_of_events(doctor: Doctor, tmp_path: Path) -> None:
    file = tmp_path / "events.ndjson"
    events = [
        run_event(job="w", outputs=[topic(B1)]),
        run_event(job="r", run="00000000-0000-4000-8000-000000000002", inputs=[topic(LOCAL)]),
    ]
    file.write_bytes(b"\n".join(map(orjson.dumps, events)) + b"\nnonsense")
    ran = doctor(str(file), "--json")
    assert [one["kind"] for one in json.loads(ran.stdout)["findings"]] == ["server-loopback"]
    assert "1 line was no event" in ran.stderr
    assert doctor(str(file), "--fix", "--yes").code == 2


def test_a_file_of_events_is_healed_by_a_recipe(
    cluster: FakeConnectServer, doctor: Doctor, tmp_path: Path
) -> None:
    file, recipe = tmp_path / "events.ndjson", tmp_path / "recipe.yml"
    recipe.write_text(RECIPE.format(connect=cluster.url))
    events = [
        run_event(job="w", outputs=[topic(B1)]),
        run_event(job="r", run="00000000-0000-4000-8000-000000000002", inputs=[topic(LOCAL)]),
    ]
    file.write_bytes(b"\n".join(map(orjson.dumps, events)))
    flags = (str(file), "-c", str(recipe))
    assert len(json.loads(doctor(*flags, "--json").stdout)["findings"]) == 1
    assert doctor(*flags, "--fix", "--yes").code == 0
    assert json.loads(doctor(*flags, "--json").stdout)["findings"] == []
    assert doctor("--undo", "--yes").code == 0
    assert len(json.loads(doctor(*flags, "--json").stdout)["findings"]) == 1


def test_brokers_are_asked_when_a_flag_says_so(
    backend: Recording, doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody answers here; of a file nobody knows whose localhost it tells of."""
    monkeypatch.setattr(brokers, "SECONDS", 0.2)
    backend.reads = "kafka://127.0.0.1:9"
    told = doctor(backend.url, "--ask-brokers", "--json")
    assert told.code == 0, told.stderr
    assert "no broker told its cluster's id: kafka://127.0.0.1:9, kafka://broker-1" in told.stderr
    assert "no broker" not in doctor(backend.url, "--json").stderr
    file = tmp_path / "events.ndjson"
    file.write_bytes(orjson.dumps(run_event(outputs=[topic(backend.reads)])))
    assert "not asked, since" in doctor(str(file), "--ask-brokers").stderr


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("ftp://x",), "ftp://"),
        (("/no/such/file",), "neither"),
        (("localhost:5000",), "begins with http:// or https://"),
        (("",), "'' is neither"),
        (("http://",), "say http(s)://HOST:PORT"),
        (("http://host:port",), "say http(s)://HOST:PORT"),
        (("--undo", "--yes"), "no fix"),
        (("--undo", "--fix", "-c", "x.yml", "--json"), "--undo goes without --fix, -c and --json"),
        (("-c", "/no/such/recipe.yml"), "/no/such/recipe.yml"),
    ],
)
def test_what_makes_no_sense_is_said(doctor: Doctor, flags: tuple[str, ...], why: str) -> None:
    ran = doctor(*flags)
    assert ran.code == 2
    assert why in ran.stderr
