from __future__ import annotations

import inspect
from datetime import timedelta
from typing import Any

import pytest

from mainstem.errors import BadRecipe
from mainstem.spark import track
from mainstem.spark.runs import RunName, Telling
from mainstem.spark.settings import CONF_KEYS, read_settings


def test_defaults() -> None:
    settings = read_settings({}, {"spark.app.name": "nightly"}, {})
    assert (settings.namespace, settings.app) == ("default", "nightly")
    assert settings.heartbeat == timedelta(seconds=60)
    assert settings.on_stop is Telling.COMPLETE
    assert [settings.reads, settings.disabled, settings.agent] == [False] * 3
    assert settings.transport is settings.parent is settings.root is None


@pytest.mark.parametrize(
    ("given", "conf", "environment", "namespace"),
    [
        (
            {"namespace": "a"},
            {"spark.mainstem.namespace": "b"},
            {"OPENLINEAGE_NAMESPACE": "c"},
            "a",
        ),
        ({}, {"spark.mainstem.namespace": "b"}, {"OPENLINEAGE_NAMESPACE": "c"}, "b"),
        ({}, {"spark.openlineage.namespace": "d"}, {"OPENLINEAGE_NAMESPACE": "c"}, "c"),
        ({}, {"spark.openlineage.namespace": "d"}, {}, "d"),
    ],
)
def test_the_nearest_word_counts(
    given: dict[str, Any], conf: dict[str, str], environment: dict[str, str], namespace: str
) -> None:
    assert read_settings(given, conf, environment).namespace == namespace


@pytest.mark.parametrize(
    ("given", "conf", "transport"),
    [
        ({"url": "http://h"}, {}, {"type": "http", "url": "http://h"}),
        ({}, {"spark.mainstem.url": "http://h"}, {"type": "http", "url": "http://h"}),
        ({"destination": {"type": "noop"}}, {"spark.mainstem.url": "http://h"}, {"type": "noop"}),
        (
            {},
            {
                "spark.mainstem.transport.type": "http",
                "spark.mainstem.transport.url": "http://h",
                "spark.mainstem.transport.auth.type": "api_key",
            },
            {"type": "http", "url": "http://h", "auth": {"type": "api_key"}},
        ),
    ],
)
def test_where_events_go(
    given: dict[str, Any], conf: dict[str, str], transport: dict[str, Any]
) -> None:
    assert read_settings(given, conf, {}).transport == transport


def test_all_mistakes_at_once_with_key_value_and_what_is_allowed() -> None:
    with pytest.raises(BadRecipe) as caught:
        read_settings(
            {"heartbeat": "soon", "destination": "here"},
            {"spark.mainstem.onStop": "PAUSE", "spark.mainstem.colour": "red"},
            {"OPENLINEAGE_PARENT_ID": "x"},
        )
    text = str(caught.value)
    assert len(caught.value.mistakes) == 5
    for words in (
        "heartbeat is 'soon'; it must be a number of seconds",
        "destination must be a mapping",
        "spark.mainstem.onStop is 'PAUSE'; it must be COMPLETE or ABORT",
        "spark.mainstem.colour: there is no such setting",
        "OPENLINEAGE_PARENT_ID is 'x'; it must be NAMESPACE/JOB/RUN_ID",
    ):
        assert words in text


def test_who_started_the_application() -> None:
    conf = {f"spark.openlineage.parent{key}": key for key in ("JobNamespace", "JobName", "RunId")}
    environment = {"OPENLINEAGE_ROOT_PARENT_ID": "http://airflow/dag/0193"}
    settings = read_settings({}, conf, environment)
    assert settings.parent == RunName("JobNamespace", "JobName", "RunId")
    assert settings.root == RunName("http://airflow", "dag", "0193")


def test_the_agent_is_noticed() -> None:
    listeners = "com.x.Y,io.openlineage.spark.agent.OpenLineageSparkListener"
    assert read_settings({}, {"spark.extraListeners": listeners}, {}).agent


def test_secrets_of_a_transport_are_not_printed() -> None:
    settings = read_settings({"destination": {"type": "http", "auth": "hunter2"}}, {}, {})
    assert "hunter2" not in repr(settings)


def test_every_conf_key_is_an_argument_or_a_switch() -> None:
    arguments = inspect.signature(track).parameters
    assert set(CONF_KEYS.values()) - {"disabled"} <= set(arguments)
