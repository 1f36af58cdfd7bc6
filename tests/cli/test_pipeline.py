"""What ``mainstem pipeline`` refuses before any Spark is started, and what people are shown."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from mainstem.cli.main import app
from mainstem.cli.pipeline_answers import print_answer, print_json
from mainstem.cli.pipeline_sources import check_sources, kafka_settings, topic_in
from mainstem.errors import BadNodeId, BadRecipe

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def refused(*words: str) -> str:
    with pytest.raises(BadRecipe) as error:
        app(["pipeline", *words], exit_on_error=False, print_error=False)
    return str(error.value)


def test_every_mistake_in_the_flags_is_told_at_once() -> None:
    told = refused(
        "build", "events", "--conf", "memory=1g", "--parquet", "--catalog", "lake"
    )  # fmt: skip
    assert "--conf is 'memory=1g'; it must be spark.KEY=VALUE" in told
    assert "--catalog and --parquet exclude each other" in told
    assert "--catalog is 'lake'; it must be CATALOG.NAMESPACE" in told


def test_a_build_needs_a_source() -> None:
    assert "name a source" in refused("build")


@pytest.mark.parametrize("word", ["kafka://", "kafka://b:9092", "kafka:///t", "kafka://b:1/t/u"])
def test_a_topic_needs_a_broker_and_a_name(word: str) -> None:
    with pytest.raises(BadRecipe, match="kafka://HOST:PORT/TOPIC"):
        check_sources([word], [])


def test_a_topic_may_have_several_brokers() -> None:
    assert topic_in("kafka://a:1,b:2/t") == ("a:1,b:2", "t")


def test_a_setting_of_kafka_without_a_value_is_refused_and_no_value_is_shown() -> None:
    assert kafka_settings(["sasl.jaas.config=a=b"]) == {"sasl.jaas.config": "a=b"}
    with pytest.raises(BadRecipe, match="'acks' has no value"):
        kafka_settings(["sasl.password=secret", "acks"])


def test_a_node_must_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadNodeId):
        app(["pipeline", "ask", "impact", "orders"], exit_on_error=False)
    assert "is a run" in refused("ask", "impact", "run:0194")


def test_a_period_must_not_end_before_it_begins() -> None:
    told = refused("ask", "changed", "--since", "2026-03-02", "--until", "2026-03-01")
    assert "--since is 2026-03-02" in told


def test_an_answer_shows_its_first_rows_and_how_they_are_spread(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [
        {"distance": hop, "kind": "job", "namespace": "n", "name": f"j{number}"}
        for hop in (1, 2)
        for number in range(30)
    ]
    print_answer("impact", rows)
    shown = capsys.readouterr().out
    assert "j29" in shown
    assert "10 more of 60" in shown
    assert "█" in shown
    print_answer("orphans", [])
    assert "read by somebody" in capsys.readouterr().out


def test_machines_get_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    print_json("stale", [{"name": "j", "last_run_at": DAY}])
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "version": 1,
        "view": "stale",
        "rows": [{"name": "j", "last_run_at": "2026-03-01T12:00:00+00:00"}],
    }
