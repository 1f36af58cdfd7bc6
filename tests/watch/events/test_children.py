"""The jobs per dataset below a connector's, over the life of its run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.names.run_id import run_id
from mainstem.watch.connect.snapshot import ObservedConnector, State
from mainstem.watch.events import Subject
from mainstem.watch.events.building import build
from mainstem.watch.events.children import children_of
from mainstem.watch.events.offspring import from_bytes, to_bytes
from mainstem.watch.resolvers.model import Edge, Evidence, Resolution
from mainstem.watch.runs.model import Telling, Transition
from openlineage_schemas import assert_valid_event
from watch.loop.world import FILE_SINK, World

TWO_TOPICS = {**FILE_SINK, "topics": "lines,words"}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path / "journal.db", granularity="dataset") as world:
        yield world


def runs(world: World, job: str) -> list[tuple[str, str]]:
    return [
        (event["run"]["runId"], event["eventType"])
        for event in world.events()
        if event["job"]["name"] == job
    ]


def last(world: World, job: str) -> dict[str, Any]:
    return [event for event in world.events() if event["job"]["name"] == job][-1]


def test_each_topic_of_a_sink_has_a_job_below_the_connectors(world: World) -> None:
    world.connect.create("out", TWO_TOPICS)
    assert world.look() == [("out", "START"), ("out:lines", "START"), ("out:words", "START")]
    parent, child = last(world, "out"), last(world, "out:words")
    told = child["run"]["facets"]["parent"]
    assert told["run"]["runId"] == parent["run"]["runId"]
    assert (told["job"]["namespace"], told["job"]["name"]) == (parent["job"]["namespace"], "out")
    assert child["run"]["runId"] != parent["run"]["runId"]
    assert [each["name"] for each in child["inputs"]] == ["words"]
    assert [each["name"] for each in child["outputs"]] == ["/data/out.txt"]
    (entry,) = child["job"]["facets"]["lineage"]["entries"]
    assert [each["name"] for each in entry["inputs"]] == ["words"]
    assert_valid_event(orjson.dumps(child))


def test_they_go_on_and_end_with_their_connector(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.restart()
    world.connect.pause("out")
    world.look()
    world.connect.resume("out")
    world.look()
    world.connect.delete("out")
    world.look()
    told = runs(world, "out:lines")
    assert [kind for _, kind in told] == ["START", "COMPLETE", "START", "COMPLETE"]
    assert [told[0][0], told[2][0]] == [told[1][0], told[3][0]]
    assert told[0][0] != told[2][0]


def test_one_that_comes_later_starts_and_one_that_goes_is_complete(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.look()
    world.connect.connectors["out"].config["topics"] = "words"
    assert world.look() == [
        ("out", "RUNNING"), ("out:words", "START"), ("out:lines", "COMPLETE"),
    ]  # fmt: skip
    assert len({run for run, _ in runs(world, "out:lines")}) == 1


def test_one_that_comes_back_after_its_end_has_another_run(world: World) -> None:
    connector = world.connect.create("out", TWO_TOPICS)
    for topics in ("lines,words", "lines", "lines,words", "lines,words", "lines", "lines,words"):
        connector.config["topics"] = topics
        world.look(timedelta(minutes=6))
        world.restart()
    told = runs(world, "out:words")
    assert [kind for _, kind in told] == [
        "START", "COMPLETE", "START", "RUNNING", "COMPLETE", "START",
    ]  # fmt: skip
    first, second, third = told[0][0], told[2][0], told[5][0]
    assert [run for run, _ in told] == [first, first, second, second, second, third]
    assert len({first, second, third}) == 3


def test_a_connector_that_rests_has_jobs_without_runs(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.connect.pause("out")
    assert world.look() == [("out", "JOB"), ("out:lines", "JOB")]


def test_a_failure_is_theirs_too(world: World) -> None:
    world.connect.create("out", FILE_SINK)
    world.connect.fail_task("out", 0, "java.lang.IllegalStateException: no")
    assert world.look() == [
        ("out", "START"), ("out:lines", "START"), ("out", "FAIL"), ("out:lines", "FAIL"),
    ]  # fmt: skip
    assert "no" in last(world, "out:lines")["run"]["facets"]["errorMessage"]["message"]


def test_columns_are_those_of_their_own_input(tmp_path: Path) -> None:
    with World(tmp_path / "journal.db") as world:
        world.connect.create("out", TWO_TOPICS)
        world.look()
        event = world.events()[0]
    output = event["outputs"][0]
    sources = [
        {"namespace": each["namespace"], "name": each["name"], "field": "a"}
        for each in event["inputs"]
    ]
    output["facets"]["columnLineage"] = {"fields": {"a": {"inputFields": sources}}}
    children = [orjson.loads(child) for child in children_of(orjson.dumps(event), None)[0]]
    fields = [child["outputs"][0]["facets"]["columnLineage"]["fields"] for child in children]
    assert [[one["name"] for one in each["a"]["inputFields"]] for each in fields] == [
        ["lines"],
        ["words"],
    ]


INPUTS = [DatasetName("kafka://b1:9092", f"t{n}") for n in range(3)]
OUTPUTS = [DatasetName("file", f"/f{n}") for n in range(2)]
EDGES = st.sets(st.tuples(st.sampled_from(INPUTS), st.sampled_from(OUTPUTS)))


def told(edges: set[tuple[DatasetName, DatasetName]], telling: Telling, minutes: int = 0) -> bytes:
    ordered = sorted(edges)
    resolution = Resolution(
        "any",
        inputs=tuple(dict.fromkeys(one for one, _ in ordered)),
        outputs=tuple(dict.fromkeys(other for _, other in ordered)),
        edges=tuple(Edge(one, other, Evidence.CONFIG) for one, other in ordered),
    )
    seen = ObservedConnector("c", "sink", "com.acme.Sink", State.RUNNING, "w", {}, "v1")
    subject = Subject("ns", "c", seen, resolution, "4.3.1", timedelta(minutes=5))
    began = datetime(2026, 11, 16, tzinfo=UTC)
    now = began + timedelta(minutes=minutes)
    return build(subject, Transition(telling, now, str(run_id(began, "ns", "c")), "why"))


def edges_in(event: dict[str, Any]) -> set[tuple[DatasetName, DatasetName]]:
    return {
        (DatasetName(one["namespace"], one["name"]), DatasetName(entry["namespace"], entry["name"]))
        for entry in event["job"]["facets"]["lineage"]["entries"]
        for one in entry["inputs"]
    }


@settings(max_examples=25, deadline=None)
@given(EDGES, EDGES)
def test_children_say_together_what_the_connector_says_and_each_begins_and_ends_once(
    before: set[tuple[DatasetName, DatasetName]], after: set[tuple[DatasetName, DatasetName]]
) -> None:
    first, second = told(before, Telling.START), told(after, Telling.RUNNING)
    started = [orjson.loads(each) for each in children_of(first, None)[0]]
    later = [orjson.loads(each) for each in children_of(second, first)[0]]
    assert {edge for event in started for edge in edges_in(event)} == before
    assert all(event["eventType"] == "START" for event in started)
    said = {event["job"]["name"]: event["eventType"] for event in later}
    had, has = ({f"c:{one.name}" for one, _ in edges} for edges in (before, after))
    assert said == {
        **dict.fromkeys(had & has, "RUNNING"),
        **dict.fromkeys(has - had, "START"),
        **dict.fromkeys(had - has, "COMPLETE"),
    }
    there = (event for event in later if event["eventType"] != "COMPLETE")
    assert {edge for event in there for edge in edges_in(event)} == after
    runs = {event["job"]["name"]: event["run"]["runId"] for event in later}
    assert all(runs.get(e["job"]["name"], e["run"]["runId"]) == e["run"]["runId"] for e in started)


STEPS = st.lists(st.tuples(EDGES, st.booleans()), min_size=1, max_size=8)


@settings(max_examples=100, deadline=None)
@given(STEPS, st.sampled_from([Telling.COMPLETE, Telling.FAIL]))
def test_each_of_their_runs_starts_once_ends_once_and_says_nothing_after(
    steps: list[tuple[set[tuple[DatasetName, DatasetName]], bool]], end: Telling
) -> None:
    before: bytes | None = None
    kept: bytes | None = None
    by_run: dict[str, list[str]] = {}
    tellings = [Telling.START, *[Telling.RUNNING] * (len(steps) - 1), end]
    for minutes, telling in enumerate(tellings):
        edges, holds = steps[min(minutes, len(steps) - 1)]
        body = told(edges, telling, minutes)
        children, after = children_of(body, before, from_bytes(kept), holds=holds)
        before, kept = body, to_bytes(after)
        for child in map(orjson.loads, children):
            by_run.setdefault(child["run"]["runId"], []).append(child["eventType"])
            assert not (holds and telling is Telling.RUNNING and child["eventType"] == "COMPLETE")
    for kinds in by_run.values():
        assert kinds[0] == "START"
        assert kinds[-1] in {"COMPLETE", "FAIL"}
        assert set(kinds[1:-1]) <= {"RUNNING"}
