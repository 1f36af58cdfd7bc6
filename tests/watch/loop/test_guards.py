from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mainstem.watch.loop.tick import NEW_AT_ONCE
from watch.loop.world import FILE_SINK, World

CLASS = FILE_SINK["connector.class"]


def test_a_key_that_its_plugin_calls_a_password_is_never_passed_on(tmp_path: Path) -> None:
    with World(tmp_path / "j.db") as world:
        world.connect.plugins[CLASS] = {"file": "PASSWORD", "topics": "LIST"}
        world.connect.create("out", FILE_SINK)
        world.look()
        world.connect.connectors["out"].config["topics"] = "lines,more"
        world.look()
        told = repr(world.events())
        assert FILE_SINK["file"] not in told
        assert "more" in told


def test_a_class_is_asked_once_and_one_that_does_not_answer_rarely(tmp_path: Path) -> None:
    with World(tmp_path / "j.db") as world:
        world.connect.plugins[CLASS] = {"file": "STRING"}
        world.connect.create("out", FILE_SINK)
        world.connect.create("other", {**FILE_SINK, "connector.class": "no.such.Sink"})
        world.look()
        asked = [each for each in world.connect.requests if "connector-plugins" in each]
        assert sorted(asked) == [
            "/connector-plugins/FileStreamSink/config", "/connector-plugins/no.such.Sink/config"
        ]  # fmt: skip
        world.look(timedelta(hours=1))
        assert [each for each in world.connect.requests if "connector-plugins" in each] == asked


def test_a_provided_value_names_the_dataset_only_where_the_recipe_opens_its_file(
    tmp_path: Path,
) -> None:
    (tmp_path / "p.properties").write_text("place=/data/provided.txt\n")
    config = {**FILE_SINK, "file": f"${{file:{tmp_path}/p.properties:place}}"}
    for providers, named in (({"file": [str(tmp_path)]}, True), ({}, False)):
        with World(tmp_path / f"{named}.db", providers=providers) as world:
            world.connect.create("out", config)
            world.look()
            names = [each["name"] for each in world.events()[0]["outputs"]]
            assert ("/data/provided.txt" in names) is named


def test_what_one_turn_learns_of_a_class_counts_in_the_next(tmp_path: Path) -> None:
    with World(tmp_path / "j.db") as world:
        world.connect.plugins[CLASS] = {"file": "PASSWORD"}
        for number in range(NEW_AT_ONCE + 2):
            world.connect.create(f"out-{number}", FILE_SINK)
        told = world.look()
        assert len(told) == NEW_AT_ONCE + 2
        assert FILE_SINK["file"] not in repr(world.events())


def test_every_class_of_a_look_is_asked_before_any_topics(tmp_path: Path) -> None:
    with World(tmp_path / "j.db") as world:
        for number in range(NEW_AT_ONCE):
            world.connect.create(f"a-{number}", FILE_SINK)
        world.connect.create("z", {**FILE_SINK, "connector.class": "org.acme.LateSink"})
        world.look()
        asked = world.connect.requests
        plugins = [number for number, each in enumerate(asked) if "connector-plugins" in each]
        topics = [number for number, each in enumerate(asked) if each.endswith("/topics")]
        assert len(plugins) == 2
        assert max(plugins) < min(topics)
