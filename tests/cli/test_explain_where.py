"""The flags of ``plan`` and ``explain`` that say which cluster is meant, and what opens it."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from mainstem.cli.explain import explain
from mainstem.cli.plan import plan
from mainstem.errors import BadRecipe, ConnectRefused
from mainstem.watch.connect.fake import FakeConnect
from watch.loop.world import FILE_SOURCE

SIGNED_IN = f"Basic {b64encode(b'reader:S3CR3T').decode()}"


@pytest.fixture
def locked() -> Iterator[str]:
    """A cluster that answers those who sign in alone."""
    connect = FakeConnect("cid")
    connect.create("in", FILE_SOURCE)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = 401, "application/json", b"{}"
            if self.headers.get("Authorization") == SIGNED_IN:
                status, kind, body = connect.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(params=["watch", "ingest"])
def recipe(
    request: pytest.FixtureRequest, locked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    monkeypatch.setenv("CONNECT_PASSWORD", "S3CR3T")
    entry = {"username": "reader", "password": "${CONNECT_PASSWORD}"}
    trees = {
        "watch": {"clusters": [{"urls": [locked], **entry}]},
        "ingest": {
            "source": {"type": "kafka-connect", "config": {"connect_uri": locked, **entry}},
            "sink": {"type": "console"},
        },
    }
    file = tmp_path / "recipe.yml"
    file.write_text(json.dumps(trees[request.param]))
    return file


def test_a_recipe_opens_the_door(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    explain("in", config=recipe)
    assert "  output      kafka://cid  lines" in capsys.readouterr().out
    file = tmp_path / "new.json"
    file.write_text(json.dumps({"name": "new", "config": FILE_SOURCE}))
    with pytest.raises(SystemExit):
        plan(str(file), config=recipe)
    assert "kafka://cid lines is already written by connector in" in capsys.readouterr().out


def test_without_it_the_door_stays_shut(locked: str) -> None:
    with pytest.raises(ConnectRefused, match="HTTP 401"):
        explain("in", connect=locked)


@pytest.mark.parametrize("verb", [plan, explain])
def test_a_password_on_the_command_line_is_refused_with_a_way_out(
    verb: Callable[..., None],
) -> None:
    with pytest.raises(BadRecipe, match=r"--connect:\n.*-c FILE") as refused:
        verb("in", connect="http://u:S3CR3T@connect:8083")
    assert "S3CR3T" not in str(refused.value)


@pytest.mark.parametrize("verb", [plan, explain])
@pytest.mark.parametrize(
    ("flags", "mistake"),
    [
        ({"kafka": "b:x"}, r"--kafka:\n  'b:x': must be HOST:PORT"),
        ({"connect": "connect:8083"}, r"--connect:\n  'connect:8083': must be http"),
        ({"connect": "http://connect:port"}, r"--connect:\n  'http://connect:port'"),
        ({"cluster": "a"}, r"--cluster:\n.* -c FILE"),
        ({"config": Path("r.yml"), "connect": "http://c:8083"}, r"--connect:\n.*without -c"),
        ({"config": Path("r.yml"), "kafka": "b:9092"}, r"--kafka:\n.*without -c"),
    ],
)
def test_a_mistake_is_told_under_its_flag(
    verb: Callable[..., None], flags: dict[str, object], mistake: str
) -> None:
    with pytest.raises(BadRecipe, match=mistake):
        verb("in", **flags)


def test_a_wrong_kafka_in_the_environment_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKA_BOOTSTRAP", "b:x")
    with pytest.raises(BadRecipe, match="KAFKA_BOOTSTRAP"):
        explain("in")


def test_of_several_clusters_one_must_be_named(tmp_path: Path) -> None:
    file = tmp_path / "recipe.yml"
    clusters = [{"name": name, "urls": ["http://127.0.0.1:9"]} for name in ("a", "b")]
    file.write_text(json.dumps({"clusters": clusters}))
    with pytest.raises(BadRecipe, match=r"--cluster:\n  is missing; .* has a, b"):
        explain("in", config=file)
    with pytest.raises(BadRecipe, match=r"'c': is not in the recipe; .* has a, b"):
        explain("in", config=file, cluster="c")


@pytest.mark.parametrize(
    ("name", "answer"), [("inn", "did you mean 'in'"), ("zzz", "there are: 'in'")]
)
def test_a_connector_that_is_not_there_is_a_mistake_of_the_user(
    recipe: Path, name: str, answer: str
) -> None:
    with pytest.raises(BadRecipe, match=f"no connector is called '{name}'; {answer}"):
        explain(name, config=recipe)
