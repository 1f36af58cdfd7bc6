"""The whole life of connectors, on a real worker and with a real watcher process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.postgres import PostgresServer
from openlineage_schemas import assert_valid_event
from watch.live import Buttons, WatcherProcess

pytestmark = pytest.mark.lab

STRINGS = "org.apache.kafka.connect.storage.StringConverter"


@pytest.fixture
def buttons(connect: ConnectWorker) -> Iterator[Buttons]:
    buttons = Buttons(connect.url)
    yield buttons
    buttons.close()


@pytest.fixture
def watcher(connect: ConnectWorker, kafka: KafkaBroker, tmp_path: Path) -> Iterator[WatcherProcess]:
    watcher = WatcherProcess(tmp_path, connect.url, kafka.bootstrap)
    watcher.start()
    yield watcher
    watcher.kill()


def file_sink(file: Path, topics: str = "life-lines") -> dict[str, str]:
    return {
        "connector.class": "FileStreamSink",
        "topics": topics,
        "file": str(file),
        "value.converter": STRINGS,
        "tasks.max": "1",
    }


def test_a_life_is_told_truly(buttons: Buttons, watcher: WatcherProcess, tmp_path: Path) -> None:
    job = "life sink: é"
    buttons.put(job, file_sink(tmp_path / "out.txt"))
    story = ["START"]
    watcher.wait_for(job, *story)
    for button, told in (
        ("pause", "COMPLETE"), ("resume", "START"), ("stop", "COMPLETE"), ("resume", "START")
    ):  # fmt: skip
        buttons.press(job, button)
        story.append(told)
        watcher.wait_for(job, *story)
    buttons.restart(job)
    buttons.put(job, file_sink(tmp_path / "other.txt"))
    watcher.wait_for_event(
        job,
        lambda event: (
            event["eventType"] == "RUNNING"
            and event["outputs"][0]["name"] == str(tmp_path / "other.txt")
        ),
    )
    buttons.put(job, file_sink(tmp_path / "no such directory" / "out.txt"))
    story.append("FAIL")
    watcher.wait_for(job, *story)
    failure = watcher.events(job)[-1]["run"]["facets"]["errorMessage"]
    assert "FileStreamSinkTask" in failure["message"]
    assert "\tat " not in failure["stackTrace"]
    buttons.restart(job)
    buttons.put(job, file_sink(tmp_path / "out.txt"))
    story.append("START")
    watcher.wait_for(job, *story)
    buttons.delete(job)
    story.append("COMPLETE")
    watcher.wait_for(job, *story)
    for event in watcher.events(job):
        assert_valid_event(orjson.dumps(event))
        assert event["inputs"]
        assert event["outputs"]


def test_failed_at_start_is_a_run_that_failed(buttons: Buttons, watcher: WatcherProcess) -> None:
    job = "fails at start"
    buttons.put(
        job,
        {
            "connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector",
            "source.cluster.alias": "src",
            "target.cluster.alias": "dst",
            "source.cluster.bootstrap.servers": "no.such.host.invalid:9092",
            "target.cluster.bootstrap.servers": "no.such.host.invalid:9092",
            "topics": "nothing",
            "tasks.max": "1",
        },
    )
    watcher.wait_for(job, "START", "FAIL")
    assert len({event["run"]["runId"] for event in watcher.events(job)}) == 1
    buttons.delete(job)


def test_deleted_while_the_watcher_was_away(
    buttons: Buttons, watcher: WatcherProcess, tmp_path: Path
) -> None:
    job = "goes unseen"
    buttons.put(job, file_sink(tmp_path / "unseen.txt"))
    watcher.wait_for(job, "START")
    watcher.kill()
    buttons.delete(job)
    watcher.start()
    watcher.wait_for(job, "START", "COMPLETE")
    start, *_, complete = watcher.events(job)
    assert start["run"]["runId"] == complete["run"]["runId"]
    assert complete["inputs"][0]["name"] == "life-lines"
    assert watcher.terminate() == 0


def test_a_row_of_a_table_reaches_a_file_in_two_edges(
    buttons: Buttons,
    watcher: WatcherProcess,
    postgres_server: PostgresServer,
    kafka: KafkaBroker,
    tmp_path: Path,
) -> None:
    postgres_server.execute(
        "CREATE TABLE live_orders (id int PRIMARY KEY, item text)",
        "INSERT INTO live_orders VALUES (1, 'a lamp')",
        database="shop",
    )
    buttons.put(
        "live-source",
        {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": postgres_server.host,
            "database.port": str(postgres_server.port),
            "database.user": "postgres",
            "database.password": "p4ssw0rd-canary",
            "database.dbname": "shop",
            "plugin.name": "pgoutput",
            "slot.name": "live",
            "publication.name": "live",
            "topic.prefix": "live",
            "table.include.list": "public.live_orders",
            "transforms": "unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "tasks.max": "1",
        },
    )
    written = tmp_path / "live.txt"
    buttons.put("live-sink", file_sink(written, "live.public.live_orders"))

    def is_seen(event: dict[str, dict[str, dict[str, dict[str, list[dict[str, str]]]]]]) -> bool:
        edges = event["run"]["facets"]["mainstem_connector"]["edges"]
        return [edge["evidence"] for edge in edges] == ["seen"]

    source = watcher.wait_for_event("live-source", is_seen)
    sink = watcher.wait_for_event("live-sink", is_seen)
    assert "a lamp" in written.read_text()
    topic = (f"kafka://{kafka.bootstrap}", "live.public.live_orders")
    table = (f"postgres://127.0.0.1:{postgres_server.port}", "shop.public.live_orders")
    assert [(d["namespace"], d["name"]) for d in source["inputs"]] == [table]
    assert [(d["namespace"], d["name"]) for d in source["outputs"]] == [topic]
    assert [(d["namespace"], d["name"]) for d in sink["inputs"]] == [topic]
    assert [(d["namespace"], d["name"]) for d in sink["outputs"]] == [("file", str(written))]
    buttons.delete("live-source")
    buttons.delete("live-sink")
    watcher.wait_for("live-source", "START", "COMPLETE")
    told = watcher.events_file.read_bytes() + watcher.log.read_bytes()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("journal.db*"))
    assert b"p4ssw0rd-canary" not in told + stored
