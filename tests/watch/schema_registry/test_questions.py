from __future__ import annotations

import pytest

from mainstem.watch.connect.converters import Converters, read_converters
from mainstem.watch.schema_registry.access import NO_REGISTRY, KafkaAccess, RegistryAccess, Trust
from mainstem.watch.schema_registry.subjects import Question, Questions, RecordQuestion
from mainstem.watch.schema_registry.subjects import questions_for as ask

JSON = "org.apache.kafka.connect.json.JsonConverter"
AVRO = "io.confluent.connect.avro.AvroConverter"
KAFKA = KafkaAccess("b1:9092")
REGISTRY = RegistryAccess(("http://r:8081",))
BOTH = Trust(REGISTRY, kafka=KAFKA)


def questions(
    config: dict[str, str], trust: Trust, worker: dict[str, str] | None = None
) -> Questions:
    return ask("orders", read_converters(config), read_converters(worker or {}), trust, {})


def test_records_that_carry_their_schema_are_read_where_the_recipe_gives_a_client() -> None:
    config = {"key.converter": JSON, "value.converter": AVRO}
    found = questions(config, BOTH)
    assert found.key == RecordQuestion(KAFKA, "orders", "key")
    assert isinstance(found.value, Question)
    assert questions(config, Trust(REGISTRY)).key is NO_REGISTRY


@pytest.mark.parametrize("off", ["false", " FALSE "])
def test_json_without_schemas_is_not_read(off: str) -> None:
    config = {"value.converter": JSON, "value.converter.schemas.enable": off}
    assert questions(config, BOTH).value is NO_REGISTRY


def test_the_worker_s_converter_counts_where_the_connector_has_none() -> None:
    worker = {
        "value.converter": JSON,
        "key.converter": JSON,
        "key.converter.schemas.enable": "false",
    }
    found = questions({}, BOTH, worker)
    assert found == Questions(NO_REGISTRY, RecordQuestion(KAFKA, "orders", "value"))
    assert isinstance(questions({"value.converter": AVRO}, BOTH, worker).value, Question)


def test_where_nobody_says_the_converter_the_registry_is_asked_before_the_records() -> None:
    assert isinstance(questions({}, BOTH).value, Question)
    asked = questions({}, Trust(kafka=KAFKA)).value
    assert asked == RecordQuestion(KAFKA, "orders", "value", expected=False)
    assert ask("t", Converters(), Converters(), Trust(), {}).value is NO_REGISTRY
