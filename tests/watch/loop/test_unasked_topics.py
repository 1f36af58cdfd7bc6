"""Connect lists a connector and does not tell its topics: nothing is taken back, nothing ends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.cli.explain import explain
from mainstem.cli.status import status
from mainstem.errors import ConnectUnavailable
from mainstem.watch.connect.fake import FakeConnect, FakeConnector
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.journal import read_connectors
from mainstem.watch.loop.tick import NEW_AT_ONCE
from watch.loop.world import FILE_SOURCE, World

JDBC_SOURCE = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "connection.url": "jdbc:mysql://db:3306/shop",
    "topic.prefix": "shop-",
    "mode": "bulk",
}
TROUBLES = (404, 409, 500, 503)
LONG = timedelta(minutes=20)
"""Past the next question and the next heartbeat."""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path / "journal.db", granularity="dataset") as world:
        yield world


@pytest.fixture
def tables(world: World) -> FakeConnector:
    """A source of which only the topics seen tell what it reads."""
    connector = world.connect.create("jdbc", JDBC_SOURCE)
    connector.topics = ("shop-book", "shop-member")
    world.look()
    return connector


def read_by(world: World) -> set[str]:
    """What the connector reads by its last event."""
    event: dict[str, Any] = [e for e in world.events() if e["job"]["name"] == "jdbc"][-1]
    return {each["name"] for each in event["inputs"]}


def shown(world: World) -> dict[str, Any]:
    (row,) = read_connectors(world.journal.outbox.path)
    return row.summary


def runs_of(world: World, job: str) -> list[tuple[str, str]]:
    events = (each for each in world.events() if each["job"]["name"] == job)
    return [(each["run"]["runId"], each["eventType"]) for each in events]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("trouble", TROUBLES)
def test_what_was_seen_stays_told(
    world: World, tables: FakeConnector, trouble: int, *, restarted: bool
) -> None:
    before = read_by(world)
    assert before == {"shop.book", "shop.member"}
    tables.topics_trouble = trouble
    if restarted:
        world.restart()
    said = world.look(LONG)
    assert {kind for _, kind in said} <= {"RUNNING"}
    assert read_by(world) == before
    (note,) = (each for each in shown(world)["notes"] if "could not be asked" in each)
    assert str(trouble) in note
    tables.topics_trouble = None
    world.look(LONG)
    assert not any("could not be asked" in each for each in shown(world)["notes"])
    assert read_by(world) == before


def test_a_fault_that_comes_and_goes_is_no_news(world: World, tables: FakeConnector) -> None:
    for trouble in (500, None, 409, None):
        tables.topics_trouble = trouble
        world.connect.connectors["jdbc"].tasks[0].worker_id = f"w-{trouble}"
        assert world.look(timedelta(seconds=3)) == []


def test_a_question_that_times_out_takes_nothing_back(
    world: World, tables: FakeConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.restart()

    def silent(connector: str) -> None:
        raise ConnectUnavailable("http://fake:8083", f"no answer for {connector} in time")

    monkeypatch.setattr(world.watched.client, "topics", silent)
    assert {kind for _, kind in world.look(LONG)} <= {"RUNNING"}
    assert read_by(world) == {"shop.book", "shop.member"}


def test_a_changed_config_makes_it_unknown_and_still_ends_no_child(
    world: World, tables: FakeConnector
) -> None:
    tables.topics_trouble = 500
    tables.config["topic.prefix"] = "store-"
    assert world.look() == [("jdbc", "RUNNING")]
    assert read_by(world) == set()
    assert any("could not be asked (HTTP 500)" in each for each in shown(world)["unresolved"])
    world.restart()
    tables.topics_trouble, tables.topics = None, ("store-book",)
    said = world.look(LONG)
    assert ("jdbc:shop.book", "RUNNING") in said
    assert ("jdbc:shop.member", "COMPLETE") in said
    assert len({run for run, _ in runs_of(world, "jdbc:shop.book")}) == 1


def test_a_key_that_says_nothing_of_topics_may_change(world: World, tables: FakeConnector) -> None:
    tables.topics_trouble = 409
    tables.config["tasks.max"] = "7"
    world.look()
    assert read_by(world) == {"shop.book", "shop.member"}


def test_children_that_are_held_end_with_their_connector(
    world: World, tables: FakeConnector
) -> None:
    tables.topics_trouble = 500
    tables.config["topic.prefix"] = "store-"
    world.look()
    world.connect.delete("jdbc")
    assert sorted(world.look()) == [
        ("jdbc", "COMPLETE"), ("jdbc:shop.book", "COMPLETE"), ("jdbc:shop.member", "COMPLETE"),
    ]  # fmt: skip


@pytest.mark.parametrize("trouble", [403, *TROUBLES])
def test_where_nothing_is_known_the_reason_is_told(world: World, trouble: int) -> None:
    world.connect.create("jdbc", JDBC_SOURCE).topics_trouble = trouble
    assert world.look() == [("jdbc", "START")]
    assert any(f"(HTTP {trouble}" in each for each in shown(world)["unresolved"])


@pytest.mark.parametrize("trouble", [403, 404])
def test_a_connect_that_never_tells_topics_is_told_by_its_configs(
    world: World, trouble: int
) -> None:
    connector = world.connect.create("in", FILE_SOURCE)
    connector.topics_trouble = trouble
    assert world.look() == [("in", "START"), ("in:/data/in.txt", "START")]
    assert [each[1] for each in shown(world)["outputs"]] == ["lines"]
    assert any(f"(HTTP {trouble}" in each for each in shown(world)["notes"])
    connector.config["file"] = "/data/other.txt"
    assert sorted(world.look()) == [
        ("in", "RUNNING"), ("in:/data/in.txt", "COMPLETE"), ("in:/data/other.txt", "START"),
    ]  # fmt: skip


def test_a_connector_that_is_gone_leaves_no_topics_behind(
    world: World, tables: FakeConnector
) -> None:
    assert world.journal.topics(world.watched.name)["jdbc"].topics == tables.topics
    world.connect.delete("jdbc")
    world.look()
    assert world.journal.topics(world.watched.name) == {}


def test_a_config_that_is_read_anew_while_it_is_asked_for_keeps_the_answer(world: World) -> None:
    config = {**JDBC_SOURCE, "license": "told as a password by the class alone"}
    world.connect.plugins[JDBC_SOURCE["connector.class"]] = {"license": "PASSWORD"}
    for number in range(NEW_AT_ONCE + 1):
        world.connect.create(f"jdbc-{number}", config).topics = ("shop-book",)
    world.look()
    assert [each for each in world.last.known.values() if each.unasked] == []


@pytest.mark.parametrize("trouble", [403, 404, 409, 500])
def test_explain_says_that_they_could_not_be_asked(
    trouble: int, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = FakeConnect()
    connect.create("in", FILE_SOURCE).topics_trouble = trouble
    with FakeConnectServer(connect) as server:
        explain("in", connect=server.url, kafka="b1:9092")
    told = capsys.readouterr().out
    assert "lines" in told
    assert f"its topics could not be asked (HTTP {trouble}" in told


def test_status_says_that_they_could_not_be_asked(
    world: World, tables: FakeConnector, capsys: pytest.CaptureFixture[str]
) -> None:
    tables.topics_trouble = 500
    world.look(LONG)
    status(journal=world.journal.outbox.path)
    told = " ".join(capsys.readouterr().out.split())
    assert "jdbc: its topics could not be asked (HTTP 500); those seen before are told" in told


SIGHTS = st.lists(
    st.tuples(
        st.sampled_from([None, 404, 409, 500]),
        st.sets(st.sampled_from(["book", "member", "loan"]), min_size=1),
        st.booleans(),
    ),
    max_size=4,
)


@settings(max_examples=8, deadline=None)
@given(SIGHTS)
def test_whatever_fails_the_last_answer_stands(
    tmp_path_factory: pytest.TempPathFactory, sights: list[tuple[int | None, set[str], bool]]
) -> None:
    path = tmp_path_factory.mktemp("unasked") / "journal.db"
    with World(path, granularity="dataset") as world:
        connector = world.connect.create("jdbc", JDBC_SOURCE)
        connector.topics, answered = ("shop-book",), {"book"}
        world.look()
        for trouble, names, restarts in sights:
            connector.topics = tuple(f"shop-{each}" for each in names)
            connector.topics_trouble = trouble
            answered = names if trouble is None else answered
            if restarts:
                world.restart()
            world.look(LONG)
            assert read_by(world) == {f"shop.{each}" for each in answered}
        ended: set[str] = set()
        for event in world.events():
            assert event["run"]["runId"] not in ended
            if event["eventType"] == "COMPLETE":
                ended.add(event["run"]["runId"])
