from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import orjson
import pytest

from mainstem.errors import ConnectRefused, ConnectUnavailable, JournalInUse
from mainstem.watch.connect.fake import STARTING, UNREAD, FakeConnect
from mainstem.watch.journal import Journal
from openlineage_schemas import assert_valid_event
from watch.loop.world import FILE_SINK, FILE_SOURCE, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path / "journal.db") as world:
        yield world


def names(datasets: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(dataset["namespace"], dataset["name"]) for dataset in datasets]


def test_a_source_and_a_sink_become_two_edges_over_one_topic(world: World) -> None:
    world.connect.create("in", FILE_SOURCE)
    world.connect.create("out", FILE_SINK)
    assert sorted(world.look()) == [("in", "START"), ("out", "START")]
    told = {event["job"]["name"]: event for event in world.events()}
    topic = ("kafka://b1:9092", "lines")
    assert names(told["in"]["inputs"]) == [("file", "/data/in.txt")]
    assert names(told["in"]["outputs"]) == names(told["out"]["inputs"]) == [topic]
    assert names(told["out"]["outputs"]) == [("file", "/data/out.txt")]
    for event in told.values():
        assert_valid_event(orjson.dumps(event))


def test_nothing_changed_is_one_request_and_no_word(world: World) -> None:
    world.connect.create("out", FILE_SINK).topics = ("lines",)
    world.look()
    world.connect.requests.clear()
    assert world.look() == []
    assert world.connect.requests == ["/connectors?expand=info&expand=status"]


def test_the_whole_life_of_a_connector(world: World) -> None:
    connect = world.connect
    connect.create("out", FILE_SINK, tasks=2)
    assert world.look() == [("out", "START")]
    assert world.look(timedelta(minutes=5)) == [("out", "RUNNING")]
    connect.fail_task("out", 1, "java.io.IOException: disk full\n\tat a.B.c(B.java:1)")
    assert world.look() == [("out", "RUNNING")]
    degraded = world.events()[-1]["run"]["facets"]
    assert degraded["mainstem_connector"]["degraded"] == "1 of 2 tasks failed (1)"
    assert degraded["errorMessage"]["message"] == "java.io.IOException: disk full"
    connect.fail_task("out", 0, "java.io.IOException: disk full\n\tat a.B.c(B.java:1)")
    assert world.look() == [("out", "FAIL")]
    connect.create("out", FILE_SINK)
    assert world.look() == [("out", "START")]
    connect.pause("out")
    assert world.look() == [("out", "COMPLETE")]
    connect.resume("out")
    assert world.look() == [("out", "START")]
    connect.stop("out")
    assert world.look() == [("out", "COMPLETE")]
    connect.delete("out")
    assert world.look() == []
    runs = {event["run"]["runId"] for event in world.events()}
    assert len(runs) == 3


def test_a_changed_config_is_told_at_once_in_the_same_run(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.connectors["out"].config["topics"] = "lines,more"
    assert world.look() == [("out", "RUNNING")]
    first, second = world.events()
    assert first["run"]["runId"] == second["run"]["runId"]
    assert names(second["inputs"]) == [
        ("kafka://b1:9092", "lines"), ("kafka://b1:9092", "more")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (STARTING, ConnectUnavailable),
        (409, ConnectUnavailable),
        (500, ConnectUnavailable),
        (503, ConnectUnavailable),
        (401, ConnectRefused),
    ],
)
def test_silence_ends_no_run(world: World, trouble: int | str, error: type[Exception]) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.trouble = trouble
    with pytest.raises(error):
        world.look(timedelta(days=2))
    world.connect.trouble = None
    assert world.look() == [("out", "RUNNING")]


def test_a_worker_that_has_not_read_its_configs_ends_no_run(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.connect.create("in", FILE_SOURCE)
    world.look()
    world.connect.trouble = UNREAD
    assert world.look() == []
    assert world.look(timedelta(days=2)) == []
    world.connect.trouble = None
    world.connect.delete("in")
    assert world.look() == [("in", "COMPLETE"), ("out", "RUNNING")]
    assert len({event["run"]["runId"] for event in world.events()}) == 2


def test_where_configs_may_not_be_asked_for_a_deletion_is_told_after_the_grace(
    world: World,
) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.delete("out")
    answer = world.connect.answer

    def no_configs(target: str) -> tuple[int, str, bytes]:
        return (403, "text/plain", b"") if target.endswith("/config") else answer(target)

    world.connect.answer = no_configs
    assert world.look() == []
    assert world.look(timedelta(minutes=5)) == []
    assert world.look(timedelta(minutes=2)) == [("out", "COMPLETE")]


def test_deleted_while_the_watcher_was_down_completes_from_memory(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.delete("out")
    world.restart()
    assert world.look() == [("out", "COMPLETE")]
    start, complete = world.events()
    assert start["run"]["runId"] == complete["run"]["runId"]
    assert names(complete["inputs"]) == [("kafka://b1:9092", "lines")]
    assert names(complete["outputs"]) == [("file", "/data/out.txt")]
    assert world.look() == []


def test_a_restarted_watcher_goes_on_with_the_same_runs(world: World) -> None:
    world.connect.create("in", FILE_SOURCE)
    world.look()
    world.restart()
    assert world.look() == []
    assert world.look(timedelta(minutes=5)) == [("in", "RUNNING")]
    assert len({event["run"]["runId"] for event in world.events()}) == 1


def test_first_seen_paused_is_a_job_without_a_run(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.connect.pause("out")
    assert world.look() == [("out", "JOB")]
    assert world.look(timedelta(hours=1)) == []
    world.connect.resume("out")
    assert world.look() == [("out", "START")]


def test_topics_that_appear_later_are_told_as_seen(world: World) -> None:
    connector = world.connect.create("in", FILE_SOURCE)
    world.look()
    connector.topics = ("lines",)
    assert world.look() == [("in", "RUNNING")]
    evidence = [
        event["run"]["facets"]["mainstem_connector"]["edges"][0]["evidence"]
        for event in world.events()
    ]
    assert evidence == ["config", "seen"]


def test_a_connector_that_cannot_be_read_stops_no_other_and_ends_no_run(world: World) -> None:
    world.connect.create("in", FILE_SOURCE)
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.connectors["in"].config = None  # type: ignore[assignment]
    world.connect.pause("out")
    assert world.look() == [("out", "COMPLETE")]
    assert list(world.last.snapshot.unreadable) == ["in"]


def test_patterns_choose_the_connectors(tmp_path: Path) -> None:
    patterns = {"allow": ["prod-.*"], "deny": [".*-test"]}
    with World(tmp_path / "j.db", connectors=patterns) as world:
        for name in ("prod-a", "prod-a-test", "other", "my-prod-a"):
            world.connect.create(name, FILE_SINK)
        assert world.look() == [("prod-a", "START")]


def test_the_kafka_is_called_by_its_id_where_nothing_tells_its_name(tmp_path: Path) -> None:
    with World(tmp_path / "j.db", FakeConnect("abc123"), kafka=None) as world:
        world.connect.create("out", FILE_SINK)
        world.look()
        (event,) = world.events()
        assert names(event["inputs"]) == [("kafka://abc123", "lines")]
        notes = event["run"]["facets"]["mainstem_connector"]["notes"]
        assert any("kafka.bootstrap" in note for note in notes)


def test_a_named_kafka_is_known_by_its_id_too(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    (event,) = world.events()
    assert event["inputs"][0]["facets"]["symlinks"]["identifiers"] == [
        {"namespace": "kafka://fake-cluster-id", "name": "lines", "type": "TOPIC"}
    ]


def test_a_second_watcher_on_the_same_journal_refuses(world: World, tmp_path: Path) -> None:
    with pytest.raises(JournalInUse, match="process"):
        Journal.open(tmp_path / "journal.db")
