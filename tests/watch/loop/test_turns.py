"""Thousands of new connectors keep nothing waiting that is known already."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mainstem.watch.connect.client import ConnectAccess, ConnectClient
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.connect.snapshot import ObservedConnector, State
from mainstem.watch.loop.cluster import Tick
from mainstem.watch.loop.tick import NEW_AT_ONCE, run_tick
from mainstem.watch.loop.topics import TopicsBook
from watch.loop.world import FILE_SINK, World

MANY = 2 * NEW_AT_ONCE + 1


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path / "journal.db") as world:
        yield world


def create(world: World, number: int) -> None:
    for each in range(number):
        world.connect.create(f"new-{each}", FILE_SINK).topics = ("lines",)


def told(world: World) -> list[tuple[str, str]]:
    return [(event["job"]["name"], event["eventType"]) for event in world.events()]


def test_new_connectors_come_some_at_a_time_until_it_is_enough(world: World) -> None:
    create(world, MANY)
    counts = [(len(told(world)), looked.postponed) for looked in _looks(world, 4)]
    assert counts == [
        (NEW_AT_ONCE, MANY - NEW_AT_ONCE),
        (2 * NEW_AT_ONCE, 1),
        (MANY, 0),
        (MANY, 0),
    ]


def _looks(world: World, number: int) -> Iterator[Tick]:
    for _ in range(number):
        yield run_tick(world.watched, enough=lambda: True)


def test_connectors_count_as_done_as_their_answers_come(world: World) -> None:
    create(world, 4)
    heard: list[tuple[str, int, int]] = []
    world.watched.progress = lambda cluster, done, of: heard.append((cluster, done, of))
    world.look()
    assert {(cluster, of) for cluster, _, of in heard} == {(world.watched.name, 4)}
    done = [number for _, number, _ in heard]
    assert done == sorted(done)
    assert {1, 2, 3, 4} <= set(done)


def test_whose_turn_comes_next_is_asked_while_others_are_thought_about(world: World) -> None:
    create(world, NEW_AT_ONCE + 1)
    last = f"/connectors/new-{NEW_AT_ONCE}/topics"
    heard: list[bool] = []

    def wait_for_the_last(_cluster: str, done: int, _of: int) -> None:
        # the end of the first turn: nobody has waited for the second one's answer
        if done == NEW_AT_ONCE and not heard:
            end = time.monotonic() + 30
            while last not in world.connect.requests and time.monotonic() < end:
                time.sleep(0.001)
            heard.append(last in world.connect.requests)

    world.watched.progress = wait_for_the_last
    world.look()
    assert heard == [True]
    assert world.connect.requests.count(last) == 1


def test_what_moved_is_told_before_what_is_new(world: World) -> None:
    world.connect.create("old", FILE_SINK)
    world.look()
    create(world, 3)
    world.connect.pause("old")
    assert world.look()[0] == ("old", "COMPLETE")


def test_one_that_is_deleted_before_its_turn_was_never_seen(world: World) -> None:
    create(world, MANY)
    run_tick(world.watched, enough=lambda: True)
    for name in list(world.connect.connectors):
        world.connect.delete(name)
    told_then = world.look()
    assert sorted(told_then) == sorted((name, "COMPLETE") for name, _ in told(world)[:NEW_AT_ONCE])


def test_a_question_that_hangs_is_waited_for_in_one_look_alone() -> None:
    released = threading.Event()

    class Hanging(ConnectClient):
        def topics(self, connector: str) -> tuple[str, ...] | None:
            released.wait()
            return (connector,)

    out = ObservedConnector("out", "sink", "FileStreamSink", State.RUNNING, "w", {}, "v1")
    now = datetime(2026, 11, 16, tzinfo=UTC)
    with Hanging(ConnectAccess(("http://fake",)), AllowedKeys([])) as client:
        pool = ThreadPoolExecutor(1)
        book = TopicsBook(client, pool, timedelta(minutes=10))
        book.ask([out], now, timedelta(milliseconds=1))
        later = threading.Thread(target=book.ask, args=([out], now, timedelta(hours=1)))
        later.start()
        later.join(30)
        waits = later.is_alive()
        released.set()
        pool.shutdown()
        assert not waits
        book.ask([out], now, timedelta(0))
        assert book.known(out).topics == ("out",)
