"""Planned connectors beside each other and beside those of a live cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mainstem.cli.plan import plan
from mainstem.errors import BadRecipe
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from watch.loop.world import FILE_SINK, FILE_SOURCE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "connectors.json"


def planned(
    file: Path, capsys: pytest.CaptureFixture[str], *connectors: object, **flags: Any
) -> list[dict[str, Any]]:
    file.write_text(json.dumps(connectors))
    plan(str(file), fail_on=("never",), json=True, **flags)
    return json.loads(capsys.readouterr().out)["plans"]


def messages(told: dict[str, Any]) -> list[str]:
    return [f"{each['kind']}: {each['message']}" for each in told["findings"]]


def test_the_live_clusters_kafka_is_that_of_the_plan(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = FakeConnect("cid")
    connect.create("twin", FILE_SOURCE)
    with FakeConnectServer(connect) as server:
        new = {"name": "in", "config": FILE_SOURCE}
        (told,) = planned(file, capsys, new, connect=server.url)
    assert told["outputs"] == [{"namespace": "kafka://cid", "name": "lines"}]
    assert messages(told) == [
        "already-written: kafka://cid lines is already written by connector twin"
    ]


def test_a_live_topic_that_is_one_in_metrics_is_told(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = FakeConnect("cid")
    connect.create("out", {**FILE_SINK, "topics": "shop.lines"})
    with FakeConnectServer(connect) as server:
        new = {"name": "in", "config": {**FILE_SOURCE, "topic": "shop_lines"}}
        (told,) = planned(file, capsys, new, connect=server.url)
    (message,) = messages(told)
    assert message.startswith("naming: the topics shop_lines and shop.lines, which is there")


def test_connectors_of_one_file_are_held_against_each_other(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dead_letters = {**FILE_SINK, "topics": "q", "errors.deadletterqueue.topic.name": "lines"}
    a, b, again, sink = planned(
        file,
        capsys,
        {"name": "a", "config": FILE_SOURCE},
        {"name": "b", "config": FILE_SOURCE},
        {"name": "b", "config": FILE_SOURCE},
        {"name": "sink", "config": dead_letters},
        kafka="b1:9092",
    )
    written = "already-written: kafka://b1:9092 lines is already written by connector"
    assert messages(a) == [f"{written} b"]
    assert messages(b) == messages(again) == [f"{written} a", "naming: 2 connectors are called b"]
    told = "already-written: kafka://b1:9092 lines, its dead-letter topic, is already written by"
    assert messages(sink) == [f"{told} connector a", f"{told} connector b"]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("[]", "holds no connector"),
        ("5", "the entry is a number"),
        ("{}", "an empty object"),
        ('[{"name": "x"}]', "without config and connector.class"),
        ('[{"connector.class": "FileStreamSink"}, {"name": "x"}]', "2: the entry is an object"),
    ],
)
def test_what_is_no_connector_is_a_mistake_in_the_file(file: Path, text: str, mistake: str) -> None:
    file.write_text(text)
    with pytest.raises(BadRecipe, match=mistake):
        plan(str(file), kafka="b1:9092")
