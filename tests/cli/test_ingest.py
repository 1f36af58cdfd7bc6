"""``mainstem ingest`` as a user calls it: what is told, reported and remembered, and exit codes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from structlog.testing import capture_logs

from mainstem.cli.ingest import follow
from mainstem.errors import BadRecipe
from mainstem.watch.connect.fake import STARTING, FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.journal import read_connectors
from outbox.backend import Reply, running_backend
from watch.loop.world import FILE_SINK, FILE_SOURCE

KAFKA = "kafka://b1:9092"
NOWHERE = "http://127.0.0.1:9"
JDBC_SINK = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "connection.url": "jdbc:mysql://db-1:3306/Shop",
    "topics": "Orders",
    "table.name.format": "${topic}",
}
UNKNOWN = {"connector.class": "com.acme.SecretSauceSource", "topic": "sauce"}

EXAMPLES = """
    platform_instance_map:
      snowflake: snowflake_platform_instance
      mysql: mysql_platform_instance
    connect_to_platform_map:
      mysql_connector1:
        mysql: mysql_instance1
        kafka: kafka_instance1
      bigquery_connector1:
        kafka: kafka_instance1
      bigquery_connector2:
        kafka: kafka_instance2
    provided_configs:
      - provider: env
        path_key: MYSQL_CONNECTION_URL
        value: jdbc:mysql://test_mysql:3306/librarydb
"""


class Ingesting:
    """A recipe, the cluster that it names, and the file that its events go to."""

    def __init__(self, folder: Path, connect: FakeConnect, url: str) -> None:
        self.folder = folder
        self.connect = connect
        self.recipe = folder / "recipe.yml"
        self.events_file = folder / "events.ndjson"
        self.config: dict[str, Any] = {"connect_uri": url, "kafka": {"bootstrap": "b1:9092"}}
        self.sink: dict[str, Any] = {
            "type": "file",
            "config": {"filename": str(self.events_file)},
        }
        self.more: dict[str, Any] = {}

    def run(self, **flags: Any) -> tuple[int, dict[str, Any]]:
        """Exit code and report."""
        source = {"type": "kafka-connect", "config": self.config}
        tree = {"source": source, "sink": self.sink, **self.more}
        self.recipe.write_text(yaml.safe_dump(tree))
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        state = self.folder / "state.db"
        code = follow(self.recipe, journal=state, report_to=str(report), **flags)
        return code, json.loads(report.read_text()) if report.exists() else {}

    def events(self) -> list[dict[str, Any]]:
        if not self.events_file.exists():
            return []
        return [json.loads(line) for line in self.events_file.read_text().splitlines()]

    def said(self, since: int = 0) -> list[tuple[str, str]]:
        return [
            (event["job"]["name"], event.get("eventType", "JOB")) for event in self.events()[since:]
        ]


@pytest.fixture
def connect() -> FakeConnect:
    connect = FakeConnect()
    connect.create("out", FILE_SINK)
    return connect


@pytest.fixture
def ingesting(tmp_path: Path, connect: FakeConnect) -> Iterator[Ingesting]:
    with capture_logs(), FakeConnectServer(connect) as server:
        yield Ingesting(tmp_path, connect, server.url)


def dataset(event: dict[str, Any], side: str) -> tuple[str, str]:
    (one,) = event[side]
    return one["namespace"], one["name"]


def test_runs_start_go_on_and_end_over_three_ingestions(ingesting: Ingesting) -> None:
    ingesting.connect.create("in", FILE_SOURCE).topics = ("lines",)
    code, report = ingesting.run()
    assert (code, report["status"]) == (0, "success")
    assert sorted(ingesting.said()) == [
        ("in", "START"), ("in:/data/in.txt", "START"), ("out", "START"), ("out:lines", "START"),
    ]  # fmt: skip
    ingesting.connect.delete("in")
    before = len(ingesting.events())
    code, report = ingesting.run()
    assert sorted(ingesting.said(before)) == [
        ("in", "COMPLETE"), ("in:/data/in.txt", "COMPLETE"),
        ("out", "RUNNING"), ("out:lines", "RUNNING"),
    ]  # fmt: skip
    assert (report["totals"]["seen"], report["totals"]["gone"], report["told"]) == (1, 1, 4)
    ingesting.connect.create("in", FILE_SOURCE)
    before = len(ingesting.events())
    ingesting.run()
    assert ("in", "START") in ingesting.said(before)
    runs = [event["run"]["runId"] for event in ingesting.events() if event["job"]["name"] == "in"]
    assert runs[0] == runs[1] != runs[2]


def test_a_cluster_that_cannot_be_read_ends_nothing(ingesting: Ingesting) -> None:
    ingesting.run()
    before = len(ingesting.events())
    ingesting.connect.trouble = STARTING
    code, report = ingesting.run()
    assert (code, report["status"], ingesting.said(before)) == (3, "failure", [])
    ingesting.connect.trouble = None
    assert ingesting.run()[0] == 0
    assert ingesting.said(before) == [("out", "RUNNING"), ("out:lines", "RUNNING")]


def test_one_of_several_clusters_that_is_down_does_not_hold_up_the_others(
    ingesting: Ingesting,
) -> None:
    ingesting.config = {
        "clusters": [
            {"connect_uri": ingesting.config["connect_uri"], "cluster_name": "up"},
            {"connect_uri": NOWHERE, "cluster_name": "down"},
        ]
    }
    code, report = ingesting.run()
    assert code == 3
    assert [cluster["trouble"] is None for cluster in report["clusters"]] == [True, False]
    assert ingesting.said() == [("out", "START"), ("out:lines", "START")]
    assert ingesting.events()[0]["job"]["namespace"] == "kafka-connect://up"


def test_instances_env_and_lower_case_are_in_what_is_told(ingesting: Ingesting) -> None:
    ingesting.connect.create("orders", JDBC_SINK)
    ingesting.config |= {
        "connector_patterns": {"allow": ["ORD"]},
        "platform_instance": "prod-connect",
        "platform_instance_map": {"mysql": "loser", "kafka": "main-kafka"},
        "connect_to_platform_map": {"orders": {"mysql": "core"}},
        "convert_lineage_urns_to_lowercase": True,
        "env": "STG",
    }
    code, report = ingesting.run()
    assert (code, report["totals"]["left_out"]) == (0, 1)
    parent, child = ingesting.events()
    assert parent["job"]["namespace"] == "kafka-connect://prod-connect"
    assert child["job"]["name"] == "orders:orders"
    for event in (parent, child):
        assert dataset(event, "inputs") == ("kafka://main-kafka", "orders")
        assert dataset(event, "outputs") == ("mysql://core", "shop.orders")
        (tag,) = event["job"]["facets"]["tags"]["tags"]
        assert (tag["key"], tag["value"]) == ("env", "STG")
    links = parent["outputs"][0]["facets"]["symlinks"]["identifiers"]
    assert ("mysql://db-1:3306", "Shop.Orders") in [
        (link["namespace"], link["name"]) for link in links
    ]


def test_the_references_examples_name_the_instances_of_each_connector(
    ingesting: Ingesting,
) -> None:
    source = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
        "connection.url": "${env:MYSQL_CONNECTION_URL}",
        "table.whitelist": "books", "topic.prefix": "p-",
    }  # fmt: skip
    bigquery = {
        "connector.class": "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
        "project": "acme", "defaultDataset": "lake", "topics": "books",
    }  # fmt: skip
    ingesting.connect.delete("out")
    for number in (1, 2):
        ingesting.connect.create(f"mysql_connector{number}", source).topics = ("p-books",)
        ingesting.connect.create(f"bigquery_connector{number}", bigquery)
    ingesting.config |= yaml.safe_load(EXAMPLES)
    assert ingesting.run(strict_warnings=True)[0] == 0
    parents = (event for event in ingesting.events() if ":" not in event["job"]["name"])
    assert {
        event["job"]["name"]: (dataset(event, "inputs"), dataset(event, "outputs"))
        for event in parents
    } == {
        "mysql_connector1": (
            ("mysql://mysql_instance1", "librarydb.books"), ("kafka://kafka_instance1", "p-books"),
        ),
        "mysql_connector2": (
            ("mysql://mysql_platform_instance", "librarydb.books"), (KAFKA, "p-books"),
        ),
        "bigquery_connector1": (
            ("kafka://kafka_instance1", "books"), ("bigquery", "acme.lake.books"),
        ),
        "bigquery_connector2": (
            ("kafka://kafka_instance2", "books"), ("bigquery", "acme.lake.books"),
        ),
    }  # fmt: skip


def test_a_bucket_is_no_server_and_takes_no_instance(ingesting: Ingesting) -> None:
    config = {
        "connector.class": "io.confluent.connect.s3.S3SinkConnector",
        "s3.bucket.name": "lake", "topics": "orders",
    }  # fmt: skip
    ingesting.connect.create("s3", config)
    ingesting.config |= {"connector_patterns": {"allow": ["s3"]}}
    ingesting.config |= {"platform_instance_map": {"s3": "other"}}
    ingesting.run()
    assert dataset(ingesting.events()[0], "outputs")[0] == "s3://lake"


def test_what_is_unknown_is_reported_and_fails_only_a_strict_run(ingesting: Ingesting) -> None:
    ingesting.connect.create("sauce", UNKNOWN)
    code, report = ingesting.run()
    assert (code, report["status"]) == (0, "warnings")
    (entry,) = [each for each in report["clusters"][0]["connectors"] if each["name"] == "sauce"]
    assert entry["verdict"] == "unresolved"
    assert "not one that Mainstem knows" in entry["reasons"][0]
    assert ingesting.run(strict_warnings=True)[0] == 1


def test_generic_connectors_say_what_is_unknown(ingesting: Ingesting) -> None:
    ingesting.connect.create("sauce", UNKNOWN).topics = ("sauce",)
    sink = {"connector.class": "com.acme.SecretSauceSink", "topics": "sauce,dip"}
    ingesting.connect.create("spill", sink)
    ingesting.config["generic_connectors"] = [
        {"connector_name": "sauce", "source_dataset": "kitchen.pot", "source_platform": "mssql"},
        {"connector_name": "spill", "target_dataset": "floor", "target_platform": "mysql"},
    ]
    code, report = ingesting.run(strict_warnings=True)
    assert (code, report["warnings"]) == (0, [])
    told = {event["job"]["name"]: event for event in ingesting.events()}
    assert dataset(told["sauce"], "inputs") == ("sqlserver", "kitchen.pot")
    assert dataset(told["sauce"], "outputs") == ("kafka://b1:9092", "sauce")
    assert {"spill:sauce", "spill:dip"} < told.keys()
    assert dataset(told["spill:dip"], "outputs") == ("mysql", "floor")


def test_a_declared_target_goes_before_the_config_and_never_turns_a_connector_round(
    ingesting: Ingesting,
) -> None:
    ingesting.connect.create("orders", JDBC_SINK)
    ingesting.connect.create("in", FILE_SOURCE).topics = ("lines",)
    floor = {"target_dataset": "floor", "target_platform": "oracle"}
    pot = {"source_dataset": "pot", "source_platform": "oracle"}
    ingesting.config["generic_connectors"] = [
        {"connector_name": "orders", "source_dataset": "x", "source_platform": "kafka", **floor},
        {"connector_name": "out", **pot},
        {"connector_name": "in", **floor},
    ]
    assert ingesting.run()[0] == 0
    told = {event["job"]["name"]: event for event in ingesting.events()}
    assert dataset(told["orders"], "inputs") == (KAFKA, "Orders")
    assert dataset(told["orders"], "outputs") == ("oracle", "floor")
    assert dataset(told["out"], "inputs") == (KAFKA, "lines")
    assert dataset(told["out"], "outputs") == ("file", "/data/out.txt")
    assert dataset(told["in"], "outputs") == (KAFKA, "lines")


def test_a_declared_targets_source_is_the_topic_only_where_no_other_is_known(
    ingesting: Ingesting,
) -> None:
    by_pattern = {"connector.class": "com.acme.SauceSink", "topics.regex": "sauce-.*"}
    ingesting.connect.create("unseen", by_pattern)
    ingesting.connect.create("seen", by_pattern).topics = ("sauce-1",)
    hidden = {**JDBC_SINK, "connection.url": "${vault:db:url}"}
    ingesting.connect.create("hidden", hidden)
    entry = {"source_dataset": "sauce-9", "source_platform": "kafka",
             "target_dataset": "floor", "target_platform": "mysql"}  # fmt: skip
    ingesting.config["generic_connectors"] = [
        {"connector_name": "unseen", **entry},
        {"connector_name": "seen", **entry},
        {"connector_name": "hidden", **entry},
    ]
    assert ingesting.run(strict_warnings=True)[0] == 0
    told = {event["job"]["name"]: event for event in ingesting.events()}
    assert dataset(told["unseen"], "inputs") == (KAFKA, "sauce-9")
    assert dataset(told["unseen"], "outputs") == ("mysql", "floor")
    assert dataset(told["seen"], "inputs") == (KAFKA, "sauce-1")
    assert dataset(told["seen"], "outputs") == ("mysql", "floor")
    assert dataset(told["hidden"], "inputs") == (KAFKA, "Orders")
    assert dataset(told["hidden"], "outputs") == ("mysql", "floor")


def test_topics_are_not_asked_for_where_the_recipe_forbids_it(ingesting: Ingesting) -> None:
    ingesting.config["use_connect_topics_api"] = False
    assert ingesting.run()[0] == 0
    assert [path for path in ingesting.connect.requests if path.endswith("/topics")] == []


def test_one_request_shows_all_connectors(ingesting: Ingesting) -> None:
    for number in range(20):
        ingesting.connect.create(f"out-{number}", FILE_SINK)
    ingesting.run()
    topics = [path for path in ingesting.connect.requests if path.endswith("/topics")]
    others = {path for path in ingesting.connect.requests if not path.endswith("/topics")}
    assert len(topics) == 21
    assert len([path for path in ingesting.connect.requests if path not in topics]) == len(others)
    assert sorted(others) == [
        "/", "/connector-plugins/FileStreamSink/config",
        "/connectors?expand=info&expand=status",
    ]  # fmt: skip


def test_a_dry_run_sends_and_remembers_nothing(ingesting: Ingesting) -> None:
    code, report = ingesting.run(dry_run=True)
    assert (code, report["told"], report["dry_run"]) == (0, 2, True)
    assert not ingesting.events_file.exists()
    assert not (ingesting.folder / "state.db").exists()
    ingesting.run()
    with capture_logs() as logs:
        ingesting.run(dry_run=True)
    assert ingesting.said() == [("out", "START"), ("out:lines", "START")]
    assert [each for each in logs if each["log_level"] != "info"] == []


def test_a_report_that_cannot_be_written_is_said_before_anything_is_told(
    ingesting: Ingesting,
) -> None:
    ingesting.run(dry_run=True)  # writes the recipe
    nowhere = str(ingesting.folder / "no folder" / "report.json")
    with pytest.raises(BadRecipe, match=r"--report-to:\s.*cannot be written: No such file"):
        follow(ingesting.recipe, journal=ingesting.folder / "state.db", report_to=nowhere)
    assert ingesting.events() == []
    assert not (ingesting.folder / "state.db").exists()


def test_a_preview_tells_ten_and_ends_none_of_the_others(ingesting: Ingesting) -> None:
    for number in range(12):
        ingesting.connect.create(f"out-{number}", FILE_SINK)
    ingesting.run()
    before = len(ingesting.events())
    code, report = ingesting.run(preview=True)
    said = ingesting.said(before)
    assert (code, report["totals"]["not_in_the_preview"]) == (0, 3)
    assert (len(said), {kind for _, kind in said}) == (20, {"RUNNING"})


@pytest.mark.parametrize(
    ("patterns", "why"),
    [({"allow": ["nothing"]}, "does not let the only connector through"), ({}, "no connector")],
)
def test_a_run_that_told_nothing_is_a_failure(
    ingesting: Ingesting, patterns: dict[str, Any], why: str
) -> None:
    ingesting.config["connector_patterns"] = patterns
    if not patterns:
        ingesting.connect.delete("out")
    code, report = ingesting.run()
    assert (code, report["status"]) == (1, "failure")
    assert why in report["failures"][0]


def test_a_run_without_any_lineage_is_a_failure(ingesting: Ingesting) -> None:
    ingesting.connect.delete("out")
    ingesting.connect.create("sauce", UNKNOWN)
    code, report = ingesting.run()
    assert (code, report["failures"]) == (
        1, ["no lineage was found: connectors whose lineage is unknown: 1"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("disabled", "given"),
    [
        ("true", {"transport": {"type": "console"}}),
        ("false", {"transport": {"type": "noop"}}),
        ("false", {"filters": [{"type": "regex", "regex": ".*"}]}),
    ],
)
def test_a_run_that_is_silenced_is_a_failure(
    ingesting: Ingesting, monkeypatch: pytest.MonkeyPatch, disabled: str, given: dict[str, Any]
) -> None:
    monkeypatch.setenv("OPENLINEAGE_DISABLED", disabled)
    file = {"type": "file", "log_file_path": str(ingesting.events_file), "append": True}
    ingesting.sink = {"type": "openlineage", "config": {"transport": file, **given}}
    code, report = ingesting.run()
    assert (code, report["told"], ingesting.events()) == (1, 0, [])
    assert "filters everything out or is disabled" in report["failures"][0]


def test_ignored_keys_are_warnings(ingesting: Ingesting) -> None:
    ingesting.more = {"pipeline_name": "nightly"}
    code, report = ingesting.run()
    assert (code, report["status"]) == (0, "warnings")
    assert report["warnings"][0].startswith("pipeline_name: is ignored")


def test_a_dead_backend_is_exit_4_and_the_next_run_brings_what_waits(
    ingesting: Ingesting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_backend() as backend, monkeypatch.context() as impatient:
        impatient.setattr("mainstem.cli.ingest.DRAIN_SECONDS", 0.3)
        transport = {"type": "http", "url": backend.url}
        ingesting.sink = {"type": "openlineage", "config": {"transport": transport}}
        backend.behaviour = lambda _request: Reply(503)
        code, report = ingesting.run()
        impatient.undo()
        assert (code, report["undelivered"]) == (4, 2)
        assert "2 events for http wait in" in capsys.readouterr().err
        backend.behaviour = lambda _request: Reply(422)
        assert ingesting.run()[1]["refused"] > 0


def test_a_word_about_a_connector_that_is_not_there_is_a_warning(ingesting: Ingesting) -> None:
    word = {"source_platform": "mysql", "source_dataset": "shop.orders"}
    ingesting.config["generic_connectors"] = [
        {"connector_name": name, **word} for name in ("out", "outt")
    ]
    told = ingesting.run()[1]["warnings"]
    assert told == ["source.config.generic_connectors: no connector is called 'outt'"]
    ingesting.connect.trouble = 500
    assert "generic_connectors" not in str(ingesting.run()[1]["warnings"])


def test_the_connection_is_tried_and_nothing_else(
    ingesting: Ingesting, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = ingesting.run(test_source_connection=True)
    assert (code, report["clusters"]["connect-cluster"]["capable"]) == (0, True)
    assert "connect-cluster: Kafka Connect 4.3.1 answers, connectors: 1" in capsys.readouterr().out
    assert not ingesting.events_file.exists()
    ingesting.connect.trouble = 500
    ingesting.sink = {"type": "console"}
    assert ingesting.run(test_source_connection=True, json=True)[0] == 3
    printed = json.loads(capsys.readouterr().out)
    assert printed["clusters"]["connect-cluster"]["capable"] is False
    assert ingesting.run(test_source_connection=True)[1] == printed


def test_the_console_sink_prints_events_and_the_report_beside_them(
    ingesting: Ingesting, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ingesting.sink = {"type": "console"}
    assert ingesting.run()[0] == 0
    printed = capfdbinary.readouterr()
    assert [json.loads(line)["job"]["name"] for line in printed.out.splitlines()] == [
        "out",
        "out:lines",
    ]
    assert b"1 seen: 1 resolved; 2 told (console)" in printed.err


def test_events_and_a_report_are_not_printed_into_each_other(ingesting: Ingesting) -> None:
    ingesting.sink = {"type": "console"}
    with pytest.raises(BadRecipe, match="--report-to FILE"):
        ingesting.run(json=True)


def test_a_mistake_in_the_sinks_transport_is_told_with_its_place(ingesting: Ingesting) -> None:
    ingesting.sink = {"type": "openlineage", "config": {"transport": {"type": "http"}}}
    with pytest.raises(BadRecipe, match=r"sink\.config:\s+transport\.url is missing"):
        ingesting.run()


def test_the_command_ends_with_the_code_and_keeps_its_state_by_the_recipe(
    ingesting: Ingesting,
) -> None:
    ingesting.run(dry_run=True)  # writes the recipe
    home = ingesting.folder
    command = [sys.executable, "-m", "mainstem", "ingest", "-c", "recipe.yml", "--json"]
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    ran = subprocess.run(
        command, cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, json.loads(ran.stdout)["status"]) == (0, "success")
    (state,) = (home / ".local" / "state" / "mainstem" / "ingest").glob("recipe-*.db")
    assert json.loads(ran.stdout)["journal"] == str(state)


def test_people_see_a_table(ingesting: Ingesting, capsys: pytest.CaptureFixture[str]) -> None:
    ingesting.run()
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == [
        "out", "connect-cluster", "sink", "RUNNING", "resolved", "1", "→", "1", "START",
    ]  # fmt: skip
    assert lines[-1] == "1 seen: 1 resolved; 2 told (file)"


def test_who_waits_at_a_terminal_sees_how_many_connectors_are_done(ingesting: Ingesting) -> None:
    ingesting.connect.create("in", FILE_SOURCE).topics = ("lines",)
    ingesting.run(dry_run=True)
    terminal, end = pty.openpty()
    command = [sys.executable, "-m", "mainstem", "ingest", "-c", ingesting.recipe, "--dry-run"]
    ran = subprocess.run(command, stderr=end, stdout=subprocess.PIPE, text=True, check=False)
    os.close(end)
    seen = os.read(terminal, 100_000).decode()
    os.close(terminal)
    assert (ran.returncode, "connect-cluster" in seen, "2/2" in seen) == (0, True, True)
    assert ran.stdout.startswith("connector ")


def test_no_secret_is_in_a_report(ingesting: Ingesting, capsys: pytest.CaptureFixture[str]) -> None:
    url = ingesting.config["connect_uri"].replace("http://", "http://joe:hunter2@")
    ingesting.connect.create("db", {**JDBC_SINK, "connection.password": "hunter2"})
    ingesting.config |= {"connect_uri": url}
    _, report = ingesting.run()
    printed = capsys.readouterr()
    kept = (ingesting.folder / "state.db").read_bytes() + ingesting.events_file.read_bytes()
    assert "hunter2" not in json.dumps(report) + printed.out + printed.err
    assert b"hunter2" not in kept


JDBC_SOURCE = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "connection.url": "jdbc:mysql://db:3306/librarydb",
    "topic.prefix": "lib-",
    "mode": "incrementing",
}


@pytest.mark.parametrize("trouble", [404, 409, 500])
def test_topics_that_cannot_be_asked_end_nothing_and_are_warned_of(
    ingesting: Ingesting, trouble: int
) -> None:
    tables = ingesting.connect.create("jdbc", JDBC_SOURCE)
    tables.topics = ("lib-book", "lib-member")
    ingesting.run()
    started = len(ingesting.events())
    tables.topics_trouble = trouble
    code, report = ingesting.run()
    assert (code, report["status"], report["totals"]["resolved"]) == (0, "warnings", 2)
    (warning,) = report["warnings"]
    assert warning.startswith(f"jdbc: its topics could not be asked (HTTP {trouble}")
    assert {kind for _, kind in ingesting.said(started)} == {"RUNNING"}
    (parent,) = (e for e in ingesting.events()[started:] if e["job"]["name"] == "jdbc")
    assert [each["name"] for each in parent["inputs"]] == ["librarydb.book", "librarydb.member"]
    assert ingesting.run(strict_warnings=True)[0] == 1


def test_topics_that_could_never_be_asked_leave_it_unresolved_with_the_reason(
    ingesting: Ingesting,
) -> None:
    ingesting.connect.create("jdbc", JDBC_SOURCE).topics_trouble = 500
    _, report = ingesting.run()
    (jdbc,) = (each for each in report["clusters"][0]["connectors"] if each["name"] == "jdbc")
    assert jdbc["verdict"] == "unresolved"
    assert any("could not be asked (HTTP 500)" in reason for reason in jdbc["reasons"])


@pytest.mark.parametrize("trouble", [403, 404])
def test_a_connect_that_never_tells_topics_is_a_note_and_no_warning(
    ingesting: Ingesting, trouble: int
) -> None:
    ingesting.connect.connectors["out"].topics_trouble = trouble
    code, report = ingesting.run(strict_warnings=True)
    assert (code, report["warnings"]) == (0, [])
    (note,) = report["clusters"][0]["connectors"][0]["notes"]
    assert f"could not be asked (HTTP {trouble}" in note


def test_a_table_that_comes_back_has_another_run(ingesting: Ingesting) -> None:
    tables = ingesting.connect.create("jdbc", {**JDBC_SOURCE, "table.whitelist": "book,Member"})
    tables.topics = ("lib-book", "lib-Member")
    ingesting.run()
    tables.config["table.whitelist"], tables.topics = "book", ("lib-book",)
    ingesting.run()
    tables.config["table.whitelist"], tables.topics = "book,Member", ("lib-book", "lib-Member")
    ingesting.run()
    told = [
        (event["run"]["runId"], event["eventType"])
        for event in ingesting.events()
        if event["job"]["name"] == "jdbc:librarydb.Member"
    ]
    assert [kind for _, kind in told] == ["START", "COMPLETE", "START"]
    assert told[0][0] == told[1][0] != told[2][0]


def test_a_cluster_that_left_the_recipe_is_ended(ingesting: Ingesting, tmp_path: Path) -> None:
    other = FakeConnect()
    other.create("b-out", FILE_SINK)
    with FakeConnectServer(other) as server:
        own = {"connect_uri": ingesting.config.pop("connect_uri"), "cluster_name": "a"}
        second = {"connect_uri": server.url, "cluster_name": "b"}
        del ingesting.config["kafka"]
        ingesting.config["clusters"] = [own, second]
        ingesting.run()
        before = len(ingesting.events())
        ingesting.config["clusters"] = [{**own, "connect_uri": NOWHERE}]
        assert ingesting.run()[0] == 3
        assert ingesting.said(before) == []
        ingesting.config["clusters"] = [own]
        assert ingesting.run(dry_run=True)[1]["totals"]["gone"] == 1
        assert ingesting.run(preview=True)[1]["totals"]["gone"] == 0
        before = len(ingesting.events())
        code, report = ingesting.run()
        assert (code, report["totals"]["gone"]) == (0, 1)
        assert sorted(ingesting.said(before)) == [
            ("b-out", "COMPLETE"), ("b-out:lines", "COMPLETE"),
            ("out", "RUNNING"), ("out:lines", "RUNNING"),
        ]  # fmt: skip
        assert [row.name for row in read_connectors(tmp_path / "state.db")] == ["out"]
        assert ingesting.run()[1]["totals"]["gone"] == 0
        ingesting.config["clusters"] = [own, second]
        before = len(ingesting.events())
        ingesting.run()
        assert ("b-out", "START") in ingesting.said(before)


def test_another_recipe_with_the_same_journal_ends_nothing_of_this_one(
    ingesting: Ingesting,
) -> None:
    ingesting.config["cluster_name"] = "a"
    ingesting.run()
    first, ingesting.recipe = ingesting.recipe, ingesting.folder / "other.yml"
    ingesting.config["cluster_name"] = "b"
    before = len(ingesting.events())
    ingesting.run()
    ingesting.run()
    assert {kind for _, kind in ingesting.said(before)} == {"START", "RUNNING"}
    assert first.exists()


def test_a_connector_newly_denied_is_ended_and_begins_again_when_let_in(
    ingesting: Ingesting,
) -> None:
    ingesting.connect.create("in", FILE_SOURCE)
    ingesting.run()
    before = len(ingesting.events())
    ingesting.config["connector_patterns"] = {"deny": ["in"]}
    _, report = ingesting.run()
    assert ("in", "COMPLETE") in ingesting.said(before)
    assert ("in:/data/in.txt", "COMPLETE") in ingesting.said(before)
    told = {each["name"]: each for each in report["clusters"][0]["connectors"]}
    assert (told["in"]["verdict"], told["in"]["told"]) == ("left out", ["COMPLETE"])
    before = len(ingesting.events())
    ingesting.run()
    assert {name for name, _ in ingesting.said(before)} == {"out", "out:lines"}
    del ingesting.config["connector_patterns"]
    before = len(ingesting.events())
    ingesting.run()
    assert ("in", "START") in ingesting.said(before)


@pytest.mark.parametrize("kind", ["file", "datahub-file"])
@pytest.mark.parametrize("name", ["no folder/events", "."])
def test_a_file_that_cannot_be_written_is_said_before_anybody_is_asked(
    ingesting: Ingesting, kind: str, name: str
) -> None:
    ingesting.sink = {"type": kind, "config": {"filename": str(ingesting.folder / name)}}
    with pytest.raises(BadRecipe, match=r"sink\.config\.filename") as told:
        ingesting.run()
    assert name.split("/", maxsplit=1)[0] in str(told.value)
    assert ingesting.connect.requests == []
