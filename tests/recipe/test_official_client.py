"""A mistyped key of the openlineage sink is told, not taken for no transport at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attr
import pytest
import yaml
from openlineage.client.client import OpenLineageConfig
from openlineage.client.transport.async_http import AsyncHttpConfig
from openlineage.client.transport.composite import CompositeConfig
from openlineage.client.transport.file import FileConfig
from openlineage.client.transport.http import HttpConfig
from openlineage.client.transport.kafka import KafkaConfig

from mainstem.errors import BadRecipe
from mainstem.recipe.ingestion_loading import load_ingestion
from mainstem.recipe.official_client import PARTS, TRANSPORTS


def mistakes(tmp_path: Path, config: dict[str, Any]) -> list[str]:
    file = tmp_path / "recipe.yml"
    sink = {"type": "openlineage", "config": config}
    file.write_text(yaml.safe_dump({"source": {"type": "kafka-connect"}, "sink": sink}))
    try:
        load_ingestion(file, {})
    except BadRecipe as error:
        return list(error.mistakes)
    return []


@pytest.mark.parametrize(
    ("config", "place", "near"),
    [
        ({"transprt": {"type": "http"}}, "transprt", "transport"),
        (
            {"transport": {"type": "http", "url": "http://h", "compresion": "gzip"}},
            "transport.compresion",
            "compression",
        ),
        ({"transport": {"tpye": "http", "url": "http://h"}}, "transport.tpye", "type"),
        (
            {"transport": {"type": "composite", "transports": [{"type": "file", "apend": True}]}},
            "transport.transports.0.apend",
            "append",
        ),
    ],
)
def test_a_mistyped_key_is_told_with_the_nearest(
    tmp_path: Path, config: dict[str, Any], place: str, near: str
) -> None:
    told = f"sink.config.{place}: is not a known key; did you mean {near!r}?"
    assert mistakes(tmp_path, config) == [told]


def test_transports_that_are_not_the_clients_have_keys_of_their_own(tmp_path: Path) -> None:
    assert mistakes(tmp_path, {"transport": {"type": "acme.Transport", "lamp": 1}}) == []


@pytest.mark.parametrize(
    ("kind", "official"),
    [
        ("http", HttpConfig),
        ("async_http", AsyncHttpConfig),
        ("composite", CompositeConfig),
        ("file", FileConfig),
        ("kafka", KafkaConfig),
    ],
)
def test_every_key_of_the_client_is_known(kind: str, official: type) -> None:
    assert {each.name for each in attr.fields(official)} <= set(TRANSPORTS[kind])
    assert {each.name for each in attr.fields(OpenLineageConfig)} == set(PARTS)
