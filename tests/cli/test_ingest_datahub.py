"""``mainstem ingest`` into DataHub: a file as its own sink writes it, and its own emitter."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cli.test_ingest import Ingesting
from mainstem.cli.status import status
from mainstem.errors import BadRecipe
from mainstem.watch.connect.fake import STARTING, FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from watch.loop.world import FILE_SINK, FILE_SOURCE

FLOW = "urn:li:dataFlow:(kafka-connect,{},PROD)"


class RecordingServer:
    """Takes what DataHub's emitter sends, and answers as it is told."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.status = 200
        recording = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                recording.requests.append((self.path, json.loads(body), dict(self.headers)))
                self.send_response(recording.status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def proposals(self) -> list[dict[str, Any]]:
        return [each for _, body, _ in self.requests for each in body["proposals"]]


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    server = RecordingServer()
    yield server
    server.close()


@pytest.fixture
def ingesting(tmp_path: Path) -> Iterator[Ingesting]:
    connect = FakeConnect()
    connect.create("out", FILE_SINK)
    connect.create("in", {**FILE_SINK, "topics": "words"})
    with FakeConnectServer(connect) as server:
        ingesting = Ingesting(tmp_path, connect, server.url)
        file = {"filename": str(tmp_path / "datahub.json")}
        ingesting.sink = {"type": "datahub-file", "config": file}
        ingesting.config["stateful_ingestion"] = {"enabled": True}
        yield ingesting


def written(ingesting: Ingesting) -> list[dict[str, Any]]:
    return json.loads((ingesting.folder / "datahub.json").read_text())


def connectors(report: dict[str, Any]) -> list[dict[str, Any]]:
    return report["clusters"][0]["connectors"]


def removed(proposals: list[dict[str, Any]]) -> set[str]:
    return {
        each["entityUrn"]
        for each in proposals
        if each["aspectName"] == "status" and each["aspect"]["json"]["removed"]
    }


def test_the_file_is_whole_each_time_and_takes_back_what_is_gone(ingesting: Ingesting) -> None:
    code, report = ingesting.run()
    assert (code, report["told"]) == (0, 10)
    assert (len(written(ingesting)), removed(written(ingesting))) == (10, set())
    ingesting.connect.delete("in")
    ingesting.run()
    gone = FLOW.format("in")
    assert removed(written(ingesting)) == {gone, f"urn:li:dataJob:({gone},words)"}
    ingesting.run()
    assert removed(written(ingesting)) == set()
    ingesting.connect.create("in", {**FILE_SINK, "topics": "words"})
    ingesting.run()
    assert (len(written(ingesting)), removed(written(ingesting))) == (10, set())


def test_what_a_file_did_not_take_back_is_taken_back_next_time(ingesting: Ingesting) -> None:
    ingesting.run()
    ingesting.connect.delete("in")
    good = ingesting.sink
    nowhere = {"filename": str(ingesting.folder / "no folder" / "datahub.json")}
    ingesting.sink = {"type": "datahub-file", "config": nowhere}
    with pytest.raises(BadRecipe, match="cannot be written"):
        ingesting.run()
    ingesting.sink = good
    ingesting.run()
    gone = FLOW.format("in")
    assert removed(written(ingesting)) == {gone, f"urn:li:dataJob:({gone},words)"}


def test_the_report_says_which_entities_were_told_and_taken_back(ingesting: Ingesting) -> None:
    told = {each["name"]: each["told"] for each in connectors(ingesting.run()[1])}
    assert told == {name: ["1 dataFlow", "1 dataJob"] for name in ("in", "out")}
    ingesting.connect.delete("in")
    code, report = ingesting.run()
    (gone, _) = connectors(report)
    assert (code, gone["verdict"]) == (0, "gone")
    assert gone["told"] == ["1 dataFlow removed", "1 dataJob removed"]
    assert ingesting.run()[1]["totals"]["gone"] == 0


def test_what_stays_in_datahub_is_gone_each_time_and_no_success_of_its_own(
    ingesting: Ingesting,
) -> None:
    ingesting.config["stateful_ingestion"] = {"enabled": False}
    ingesting.run()
    ingesting.connect.delete("in")
    ingesting.connect.delete("out")
    for _ in range(2):
        code, report = ingesting.run()
        assert (code, report["totals"]["gone"], report["told"]) == (1, 2, 0)


def shown(ingesting: Ingesting, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    """By connector, what ``mainstem status --json`` says."""
    capsys.readouterr()
    status(journal=ingesting.folder / "state.db", json=True)
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)["connectors"]}


def test_status_shows_the_connectors_although_no_run_is_remembered(
    ingesting: Ingesting, capsys: pytest.CaptureFixture[str]
) -> None:
    ingesting.connect.pause("in")
    ingesting.run()
    told = shown(ingesting, capsys)
    assert {name: each["summary"]["state"] for name, each in told.items()} == {
        "in": "PAUSED",
        "out": "RUNNING",
    }
    assert told["out"]["summary"]["inputs"] == [["kafka://b1:9092", "lines"]]
    assert (told["out"]["run_id"], told["out"]["last_event_time"]) == (None, None)
    ingesting.connect.delete("in")
    ingesting.run()
    assert list(shown(ingesting, capsys)) == ["out"]
    ingesting.connect.trouble = 500
    ingesting.run()
    assert list(shown(ingesting, capsys)) == ["out"]


def test_status_says_who_is_left_out_and_a_preview_forgets_nobody(
    ingesting: Ingesting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ingesting.config["stateful_ingestion"] = {"enabled": False}
    ingesting.run()
    monkeypatch.setattr("mainstem.cli.ingest.PREVIEWED", 1)
    ingesting.run(preview=True)
    assert [each["summary"]["state"] for each in shown(ingesting, capsys).values()] == [
        "RUNNING",
        "RUNNING",
    ]
    ingesting.config["connector_patterns"] = {"deny": ["in"]}
    ingesting.run()
    told = shown(ingesting, capsys)
    assert told["in"]["summary"]["left_out"]
    assert "left_out" not in told["out"]["summary"]


def test_status_shows_each_connector_once_after_the_sink_was_another(
    ingesting: Ingesting, capsys: pytest.CaptureFixture[str]
) -> None:
    to_datahub = ingesting.sink
    ingesting.sink = {"type": "file", "config": {"filename": str(ingesting.events_file)}}
    ingesting.run()
    ingesting.sink = to_datahub
    ingesting.connect.pause("out")
    ingesting.run()
    told = shown(ingesting, capsys)["out"]
    assert told["run_id"]
    assert told["summary"]["state"] == "PAUSED"
    ingesting.sink = {"type": "file", "config": {"filename": str(ingesting.events_file)}}
    ingesting.connect.resume("out")
    ingesting.run()
    assert shown(ingesting, capsys)["out"]["summary"]["state"] == "RUNNING"


def test_a_sink_that_is_told_of_runs_after_datahub_hears_of_them_from_the_start(
    ingesting: Ingesting,
) -> None:
    events = {"type": "file", "config": {"filename": str(ingesting.events_file)}}
    to_datahub, ingesting.sink = ingesting.sink, events
    ingesting.connect.delete("in")
    ingesting.run()
    ingesting.sink = to_datahub
    ingesting.connect.create("in", {**FILE_SINK, "topics": "words"})
    ingesting.run()
    ingesting.connect.delete("out")
    ingesting.run()
    ingesting.sink = events
    ingesting.run()
    assert [each for each in ingesting.said() if ":" not in each[0]] == [
        ("out", "START"), ("out", "COMPLETE"), ("in", "START"),
    ]  # fmt: skip


def test_a_job_that_a_connector_no_longer_has_is_taken_back(ingesting: Ingesting) -> None:
    ingesting.run()
    ingesting.connect.connectors["in"].config["topics"] = "letters"
    ingesting.run()
    assert removed(written(ingesting)) == {f"urn:li:dataJob:({FLOW.format('in')},words)"}


def test_nothing_is_taken_back_or_lost_while_the_cluster_is_down(ingesting: Ingesting) -> None:
    ingesting.run()
    before = written(ingesting)
    ingesting.connect.delete("in")
    ingesting.connect.trouble = STARTING
    assert ingesting.run()[0] == 3
    assert written(ingesting) == before
    ingesting.connect.trouble = None
    ingesting.run()
    assert len(removed(written(ingesting))) == 2


@pytest.mark.parametrize(
    ("stateful", "preview"),
    [({}, False), ({"enabled": True, "remove_stale_metadata": False}, False), (None, True)],
)
def test_nothing_is_taken_back_where_the_recipe_does_not_want_it(
    ingesting: Ingesting, stateful: dict[str, bool] | None, preview: bool
) -> None:
    ingesting.run()
    ingesting.connect.delete("in")
    if stateful is not None:
        ingesting.config["stateful_ingestion"] = stateful
    ingesting.run(preview=preview)
    assert removed(written(ingesting)) == set()


def test_the_sdks_own_switch_for_lower_case_counts(
    ingesting: Ingesting, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingesting.connect.connectors["in"].config["topics"] = "Words"
    ingesting.run()
    assert b"dataPlatform:kafka,Words," in (ingesting.folder / "datahub.json").read_bytes()
    monkeypatch.setenv("DATAHUB_DATASET_URN_TO_LOWER", "true")
    ingesting.run()
    assert b"dataPlatform:kafka,words," in (ingesting.folder / "datahub.json").read_bytes()


def test_only_topics_that_may_change_what_is_told_are_asked_for(ingesting: Ingesting) -> None:
    ingesting.connect.create("source", FILE_SOURCE).topics = ("lines",)
    pattern = {**FILE_SINK, "topics.regex": "li.*", "topics": ""}
    ingesting.connect.create("by-pattern", pattern).topics = ("lines",)
    assert ingesting.run()[0] == 0
    asked = {each for each in ingesting.connect.requests if each.endswith("/topics")}
    assert asked == {"/connectors/source/topics", "/connectors/by-pattern/topics"}


def test_a_dry_run_writes_no_file(ingesting: Ingesting) -> None:
    assert ingesting.run(dry_run=True)[1]["told"] == 10
    assert not (ingesting.folder / "datahub.json").exists()


def test_datahubs_own_emitter_brings_it_to_the_server(
    ingesting: Ingesting, server: RecordingServer
) -> None:
    config = {"server": server.url, "token": "hunter2", "extra_headers": {"X-Who": "me"}}
    ingesting.sink = {"type": "datahub-rest", "config": config}
    code, report = ingesting.run()
    assert (code, report["undelivered"], report["refused"]) == (0, 0, 0)
    assert {path for path, _, _ in server.requests} == {"/aspects?action=ingestProposalBatch"}
    headers = server.requests[0][2]
    assert (headers["Authorization"], headers["X-Who"]) == ("Bearer hunter2", "me")
    told = [(each["entityUrn"], each["aspectName"]) for each in server.proposals()]
    assert len(told) == 10
    assert (FLOW.format("out"), "dataFlowInfo") in told
    assert b"hunter2" not in (ingesting.folder / "state.db").read_bytes()


@pytest.mark.parametrize(("status", "code"), [(503, 4), (401, 4), (400, 1)])
def test_what_datahub_does_not_take_waits_or_is_refused(
    ingesting: Ingesting,
    server: RecordingServer,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    code: int,
) -> None:
    monkeypatch.setattr("mainstem.cli.ingest.DRAIN_SECONDS", 0.3)
    ingesting.sink = {"type": "datahub-rest", "config": {"server": server.url}}
    server.status = status
    assert ingesting.run()[0] == code


def test_a_datahub_that_is_not_there_is_exit_4_and_gets_it_later(
    ingesting: Ingesting, server: RecordingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mainstem.cli.ingest.DRAIN_SECONDS", 0.3)
    ingesting.sink = {"type": "datahub-rest", "config": {"server": "http://127.0.0.1:9"}}
    assert ingesting.run()[0] == 4
    monkeypatch.setattr("mainstem.cli.ingest.DRAIN_SECONDS", 10.0)
    ingesting.sink = {"type": "datahub-rest", "config": {"server": server.url}}
    assert ingesting.run()[0] == 0
    assert len(server.proposals()) == 20


TABLES = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "connection.url": "jdbc:mysql://db:3306/shop",
    "topic.prefix": "shop-",
    "mode": "bulk",
}


def entities(proposals: list[dict[str, Any]]) -> set[str]:
    return {each["entityUrn"] for each in proposals}


@pytest.mark.parametrize("trouble", [404, 409, 500])
def test_topics_that_cannot_be_asked_take_nothing_back(ingesting: Ingesting, trouble: int) -> None:
    tables = ingesting.connect.create("jdbc", TABLES)
    tables.topics = ("shop-book", "shop-member")
    ingesting.run()
    before = written(ingesting)
    tables.topics_trouble = trouble
    code, report = ingesting.run()
    assert (code, report["status"]) == (0, "warnings")
    assert written(ingesting) == before
    tables.config["topic.prefix"] = "store-"
    _, report = ingesting.run()
    assert removed(written(ingesting)) == set()
    assert entities(written(ingesting)) == entities(before)
    assert any(f"could not be asked (HTTP {trouble}" in each for each in report["warnings"])
    tables.topics_trouble, tables.topics = None, ("store-book",)
    ingesting.run()
    (gone,) = removed(written(ingesting))
    assert "member" in gone


def test_a_file_of_two_clusters_keeps_the_one_that_is_down(ingesting: Ingesting) -> None:
    other = FakeConnect()
    other.create("b-out", FILE_SINK)
    with FakeConnectServer(other) as server:
        own = {"connect_uri": ingesting.config.pop("connect_uri"), "cluster_name": "a"}
        second = {"connect_uri": server.url, "cluster_name": "b", "platform_instance": "B"}
        own["platform_instance"] = "A"
        del ingesting.config["kafka"]
        ingesting.config["clusters"] = [own, second]
        ingesting.run()
        before = written(ingesting)
        other.trouble = STARTING
        ingesting.connect.delete("in")
        assert ingesting.run()[0] == 3
        assert entities(written(ingesting)) == entities(before)
        assert {"A.in" in each for each in removed(written(ingesting))} == {True}


def test_a_cluster_that_left_the_recipe_is_taken_back(ingesting: Ingesting) -> None:
    ingesting.config["platform_instance"] = "P2"
    ingesting.run()
    told = entities(written(ingesting))
    del ingesting.config["platform_instance"]
    ingesting.config["cluster_name"] = "zz"
    good = ingesting.config["connect_uri"]
    ingesting.config["connect_uri"] = "http://127.0.0.1:9"
    ingesting.run()
    assert entities(written(ingesting)) == told
    ingesting.config["connect_uri"] = good
    _, report = ingesting.run()
    assert removed(written(ingesting)) == told
    assert report["totals"]["gone"] == 2
    ingesting.config["cluster_name"] = "yy"
    _, report = ingesting.run()
    assert removed(written(ingesting)) == set(), "the same entities under the cluster's other name"
    ingesting.config["stateful_ingestion"] = {"enabled": False}
    ingesting.config |= {"platform_instance": "P3", "cluster_name": "xx"}
    _, report = ingesting.run()
    assert (removed(written(ingesting)), report["totals"]["gone"]) == (set(), 2)
