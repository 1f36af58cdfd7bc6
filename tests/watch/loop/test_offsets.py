from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import orjson
import pytest

from mainstem.watch.journal import read_connectors
from openlineage_schemas import assert_valid_event
from watch.loop.world import FILE_SINK, FILE_SOURCE, World

FIVE_MINUTES = timedelta(minutes=5)
CANARY = "camel-access-key-c4n4ry"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path / "journal.db") as world:
        yield world


def test_a_sinks_rows_come_with_the_heartbeat_and_never_before_it(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.connect.commit("out", "lines", 40)
    world.look()
    world.read_offsets()
    world.connect.commit("out", "lines", 100)
    assert world.look() == []
    world.read_offsets()
    assert world.look() == []
    assert world.look(FIVE_MINUTES) == [("out", "RUNNING")]
    (lines,) = world.events()[-1]["inputs"]
    assert lines["inputFacets"]["inputStatistics"]["rowCount"] == 60
    assert world.events()[-1]["outputs"][0]["outputFacets"] == {}
    assert_valid_event(orjson.dumps(world.events()[-1]))
    world.look(FIVE_MINUTES)
    (lines,) = world.events()[-1]["inputs"]
    assert lines["inputFacets"]["inputStatistics"]["rowCount"] == 0


MIRROR = {
    "connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector",
    "source.cluster.alias": "src", "source.cluster.bootstrap.servers": "a:9092",
    "target.cluster.alias": "dst", "target.cluster.bootstrap.servers": "b:9092",
    "topics": "lines",
}  # fmt: skip


@pytest.mark.parametrize("transforms", [None, "drop"])
def test_a_mirrors_rows_are_read_and_written_unless_a_transform_may_drop_some(
    world: World, transforms: str | None
) -> None:
    filtered = {"transforms": "drop", "transforms.drop.type": "org.acme.Sampling"}
    config = MIRROR if transforms is None else {**MIRROR, **filtered}
    mirror = world.connect.create("mm2", config)
    mirror.topics = ("src.lines",)

    def at(offset: int) -> None:
        place = {"cluster": "src", "topic": "lines", "partition": 0}
        mirror.offsets = [{"partition": place, "offset": {"offset": offset}}]
        world.read_offsets()

    world.look()
    at(40)
    world.look()
    at(70)
    world.look(FIVE_MINUTES)
    event = world.events()[-1]
    (read,), (written,) = event["inputs"], event["outputs"]
    assert read["inputFacets"]["inputStatistics"]["rowCount"] == 30
    said = written["outputFacets"].get("outputStatistics", {}).get("rowCount")
    assert said == (30 if transforms is None else None)
    assert_valid_event(orjson.dumps(event))


def test_running_but_nothing_moves_is_noted_and_ends_with_the_next_record(
    world: World, tmp_path: Path
) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.read_offsets()
    world.read_offsets(timedelta(minutes=31))
    assert world.look() == [("out", "RUNNING")]
    facet = world.events()[-1]["run"]["facets"]["mainstem_connector"]
    assert "RUNNING, but nothing moved for 31 minutes" in facet["notes"]
    assert read_connectors(tmp_path / "journal.db")[0].summary["quiet_since"] is not None
    world.connect.commit("out", "lines", 1)
    world.read_offsets()
    assert world.look() == []
    assert read_connectors(tmp_path / "journal.db")[0].summary["quiet_since"] is None
    world.look(FIVE_MINUTES)
    facet = world.events()[-1]["run"]["facets"]["mainstem_connector"]
    assert not any("nothing moved" in note for note in facet["notes"])
    assert facet["firstRecordSeen"] is not None


def test_nothing_of_a_sources_partitions_leaves_connect(world: World, tmp_path: Path) -> None:
    connector = world.connect.create("in", FILE_SOURCE)
    for step in range(3):
        connector.offsets = [
            {
                "partition": {"uri": f"aws2-s3://b?accessKey={CANARY}", "kafka_topic": CANARY},
                "offset": {"token": f"{CANARY}{step}", "lsn": step},
            }
        ]
        world.read_offsets()
        world.look(FIVE_MINUTES)
    assert [each["inputs"][0]["inputFacets"] for each in world.events()] == [{}, {}, {}]
    seen = repr(vars(world.watched)) + repr(world.watched.movements) + repr(world.events())
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("journal.db*"))
    assert CANARY not in seen
    assert CANARY.encode() not in stored


def test_only_running_connectors_are_asked_and_each_in_turn(world: World) -> None:
    for name in ("a", "b", "c"):
        world.connect.create(name, FILE_SINK)
    world.connect.pause("b")
    world.look()
    world.connect.requests.clear()
    for _ in range(4):
        world.watched.offsets.ask_next()
    assert world.connect.requests == [f"/connectors/{name}/offsets" for name in "acac"]


def test_a_worker_that_does_not_answer_about_offsets_changes_nothing(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.trouble = 500
    world.read_offsets()
    world.connect.trouble = None
    assert world.look() == []
    assert world.watched.movements == {}
