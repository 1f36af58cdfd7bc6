from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from mainstem import clock
from mainstem.errors import BadRecipe
from mainstem.outbox.configuration import Configuration, Filter
from mainstem.outbox.connection import connect_to_read
from mainstem.outbox.prepared_bytes import prepare_by
from mainstem.recipe import Recipe
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.journal import Journal, read_clusters, read_connectors
from mainstem.watch.journal.journal import LEFT
from mainstem.watch.loop.cluster import Surroundings
from mainstem.watch.loop.settings import settings_of
from mainstem.watch.loop.takeover import Takeover, plan_takeover
from mainstem.watch.loop.watching import Watcher
from watch.loop.world import FILE_SINK, FILE_SOURCE, World


def recipe(*clusters: dict[str, Any]) -> Recipe:
    return Recipe.model_validate({"clusters": clusters})


def settings(*clusters: dict[str, Any]) -> dict[str, Any]:
    read = recipe(*clusters)
    return {each.name: settings_of(read, each, {}) for each in read.clusters}


def test_only_what_changed_is_ended_and_begun() -> None:
    one, two = {"name": "one", "urls": ["http://a"]}, {"name": "two", "urls": ["http://b"]}
    other = {**two, "password": "new"}
    three = {"name": "three", "urls": ["http://c"]}
    assert plan_takeover(settings(one, two), settings(two, one)) == Takeover((), ())
    plan = plan_takeover(settings(one, two), settings(other, three))
    assert (set(plan.end), set(plan.begin)) == ({"one", "two"}, {"two", "three"})


class Running:
    """A watcher in a thread, whose recipe the test rewrites."""

    def __init__(self, journal: Path, first: Recipe) -> None:
        self.path = journal
        self.recipe: Recipe | BadRecipe = first
        self._journal = Journal.open(journal)
        surroundings = Surroundings(self._journal, clock.now, lambda body: body)
        self.watcher = Watcher(first, surroundings, {})
        self._thread = threading.Thread(target=self.watcher.run, args=(self._reload,))
        self._thread.start()

    def change(self, to: Recipe | BadRecipe) -> None:
        self.recipe = to
        self.watcher.take_over()

    def told(self) -> list[tuple[str, str, str]]:
        connection = connect_to_read(self.path)
        rows = connection.execute("SELECT body FROM outbox_event ORDER BY id").fetchall()
        connection.close()
        events = [orjson.loads(body) for (body,) in rows]
        return [(e["job"]["namespace"], e["job"]["name"], e["eventType"]) for e in events]

    def until(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 30
        while not done():
            assert time.monotonic() < deadline, (self.told(), read_clusters(self.path))
            time.sleep(0.02)

    def end(self) -> None:
        self.watcher.stop()
        self._thread.join()
        self._journal.close()

    def _reload(self) -> Recipe:
        if isinstance(self.recipe, BadRecipe):
            raise self.recipe
        return self.recipe


@pytest.fixture
def two_clusters() -> Iterator[tuple[FakeConnect, str, FakeConnect, str]]:
    first, second = FakeConnect(), FakeConnect()
    with FakeConnectServer(first) as one, FakeConnectServer(second) as two:
        yield first, one.url, second, two.url


def test_a_changed_recipe_is_taken_over_on_the_way(
    tmp_path: Path, two_clusters: tuple[FakeConnect, str, FakeConnect, str]
) -> None:
    first, first_url, second, second_url = two_clusters
    first.create("a", FILE_SINK)
    second.create("b", FILE_SOURCE)
    one = {"name": "one", "urls": [first_url], "interval": 1}
    two = {"name": "two", "urls": [second_url], "interval": 1}
    running = Running(tmp_path / "j.db", recipe(one))
    start_a = ("kafka-connect://one", "a", "START")
    start_b = ("kafka-connect://two", "b", "START")
    try:
        running.until(lambda: running.told() == [start_a])
        running.change(BadRecipe("recipe.yml", ["clusters: is wrong"]))
        running.change(recipe(one, two))
        running.until(lambda: running.told() == [start_a, start_b])
        running.change(recipe(two))
        running.until(lambda: read_clusters(running.path)[0].trouble == LEFT)
        first.delete("a")
        second.delete("b")
        complete_b = ("kafka-connect://two", "b", "COMPLETE")
        running.until(lambda: running.told() == [start_a, start_b, complete_b])
        running.change(recipe(one, two))
        complete_a = ("kafka-connect://one", "a", "COMPLETE")
        running.until(lambda: running.told()[3:] == [complete_a])
    finally:
        running.end()


def test_a_connector_left_out_is_not_deleted(tmp_path: Path) -> None:
    with World(tmp_path / "j.db", connectors={"allow": [".*"]}) as world:
        world.connect.create("out", FILE_SINK)
        assert world.look() == [("out", "START")]
        world.cluster = {"connectors": {"deny": ["out"]}}
        world.restart()
        assert world.look() == []
        world.connect.pause("out")
        assert world.look() == []
        (row,) = read_connectors(tmp_path / "j.db")
        assert (row.summary["left_out"], row.summary["state"]) == (True, "PAUSED")
        assert row.run_id is not None
        world.cluster = {"connectors": {"allow": [".*"]}}
        world.restart()
        assert world.look() == [("out", "COMPLETE")]


def test_a_connector_left_out_and_then_deleted_is_told_as_deleted(tmp_path: Path) -> None:
    with World(tmp_path / "j.db") as world:
        world.connect.create("out", FILE_SINK)
        world.look()
        world.cluster = {"connectors": {"deny": ["out"]}}
        world.restart()
        world.look()
        world.connect.delete("out")
        assert world.look() == [("out", "COMPLETE")]


def test_filters_and_tags_of_the_clients_configuration_come_before_the_outbox(
    tmp_path: Path,
) -> None:
    configuration = Configuration(
        "test", {}, filters=(Filter(exact="in"),), job_tags={"team": "orders"}
    )
    with World(tmp_path / "j.db") as world:
        world.prepare = prepare_by(configuration)
        world.restart()
        world.connect.create("in", FILE_SOURCE)
        world.connect.create("out", FILE_SINK)
        assert world.look() == [("out", "START")]
        (event,) = world.events()
        tags = event["job"]["facets"]["tags"]["tags"]
        assert [(tag["key"], tag["value"]) for tag in tags] == [("team", "orders")]
        world.connect.delete("in")
        world.connect.delete("out")
        assert world.look() == [("out", "COMPLETE")]
        assert len(world.events()[-1]["job"]["facets"]["tags"]["tags"]) == 1
