from __future__ import annotations

import pytest

from mainstem.watch.connect.converters import Converter, Converters, Login, read_converters
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.reading import SnapshotReader
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.connect.secret import Secret

AVRO = "io.confluent.connect.avro.AvroConverter"
JAAS = 'org.apache.x.PlainLoginModule required username="ann" password="p;w d";'


def value(**keys: str) -> Converter:
    named = {key.replace("__", "."): text for key, text in keys.items()}
    return read_converters(
        {"value.converter": AVRO, **{f"value.converter.{k}": text for k, text in named.items()}}
    ).value


@pytest.mark.parametrize(
    ("config", "uses"),
    [
        ({"value.converter": AVRO}, True),
        ({"value.converter": "io.confluent.connect.json.JsonSchemaConverter"}, True),
        ({"value.converter": "io.confluent.connect.protobuf.ProtobufConverter"}, True),
        ({"value.converter": "org.apache.kafka.connect.storage.StringConverter"}, False),
        ({"value.converter": "com.amazonaws.x.AWSKafkaAvroConverter"}, False),
        ({"output.data.format": "JSON_SR"}, True),
        ({"input.data.format": "JSON"}, False),
        ({}, None),
    ],
)
def test_whether_a_registry_is_asked(config: dict[str, str], uses: bool | None) -> None:
    assert read_converters(config).value.uses_registry is uses


def test_key_and_value_have_settings_of_their_own() -> None:
    found = read_converters(
        {
            "key.converter": AVRO,
            "key.converter.schema.registry.url": "http://k:8081",
            "key.converter.key.subject.name.strategy": "io.x.RecordNameStrategy",
            "value.converter": AVRO,
            "value.converter.schema.registry.url": "http://a:8081/base/, https://b",
        }
    )
    assert (found.key.urls, found.key.strategy) == (("http://k:8081",), "RecordNameStrategy")
    assert found.value.urls == ("http://a:8081/base", "https://b")
    assert found.value.strategy == "TopicNameStrategy"


def test_credentials_of_every_source_become_secrets() -> None:
    user_info = value(
        schema__registry__url="http://r",
        basic__auth__credentials__source="USER_INFO",
        basic__auth__user__info="ann:se:cret",
    )
    assert user_info.login == Login("ann", Secret("se:cret"))
    inherited = value(
        schema__registry__url="http://r",
        basic__auth__credentials__source="SASL_INHERIT",
        sasl__jaas__config=JAAS,
    )
    assert inherited.login == Login("ann", Secret("p;w d"))
    in_url = value(schema__registry__url="https://ann:p%40w@r:8081")
    assert (in_url.login, in_url.urls) == (Login("ann", Secret("p@w")), ("https://r:8081",))
    bearer = value(
        schema__registry__url="http://r",
        bearer__auth__credentials__source="STATIC_TOKEN",
        bearer__auth__token="token",
    )
    assert bearer.login == Login(bearer=Secret("token"))
    shown = repr((user_info, inherited, in_url, bearer))
    assert [each for each in ("se:cret", "p;w d", "p@w", "token") if each in shown] == []


def test_sasl_is_inherited_from_the_connector_s_own_client_too() -> None:
    found = read_converters(
        {
            "value.converter": AVRO,
            "value.converter.basic.auth.credentials.source": "SASL_INHERIT",
            "producer.override.sasl.jaas.config": JAAS,
        }
    )
    assert found.value.login == Login("ann", Secret("p;w d"))


def test_what_only_the_worker_can_fill_in_is_no_credential_and_no_address() -> None:
    unknown = value(
        schema__registry__url="${env:REGISTRY}",
        basic__auth__credentials__source="USER_INFO",
        basic__auth__user__info="${file:/secrets:registry}",
    )
    assert (unknown.urls, unknown.login) == ((), None)
    assert value(schema__registry__url="file:///etc/passwd").urls == ()
    assert value(schema__registry__url="http://r:notaport,http://[bad").urls == ()


LIFECYCLE = {
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "transforms": "unwrap, ol",
    "transforms.unwrap.type": "x.Unwrap",
    "transforms.ol.type": "io.factorhouse.smt.OpenLineageLifecycleSmt",
    "transforms.ol.key.converter.schema.read": "false",
    "transforms.ol.value.converter.schema.read": "true",
    "transforms.ol.value.converter.schema.registry.url": "http://schema:8081",
    "transforms.ol.value.converter.basic.auth.credentials.source": "USER_INFO",
    "transforms.ol.value.converter.basic.auth.user.info": "admin:adm1n",
}


def test_the_lifecycle_transform_s_keys_count_as_the_connector_s() -> None:
    found = read_converters({"key.converter": AVRO, **LIFECYCLE})
    assert found.value.uses_registry is True
    assert found.value.urls == ("http://schema:8081",)
    assert found.value.login == Login("admin", Secret("adm1n"))
    assert found.key.uses_registry is False


def test_a_look_hands_them_over_beside_the_connectors_and_never_in_them() -> None:
    connect = FakeConnect()
    connect.create("sink", {"connector.class": "a.Sink", **LIFECYCLE})
    reader = SnapshotReader(AllowedKeys(["transforms"]))
    snapshot = reader.read(connect.answer("/connectors?expand=info&expand=status")[2])
    assert snapshot.converters["sink"].value.login == Login("admin", Secret("adm1n"))
    assert "adm1n" not in repr(snapshot)
    assert "schema:8081" not in repr(snapshot.connectors)
    connect.delete("sink")
    assert not reader.read(connect.answer("/connectors?expand=info&expand=status")[2]).converters


PLACED = {
    "value.converter": AVRO,
    "value.converter.schema.registry.url": "${file:/c/r.properties:url}/api",
    "value.converter.basic.auth.credentials.source": "USER_INFO",
    "value.converter.basic.auth.user.info": "${vault:sr:user}:${vault:sr:pw}",
}
PROVIDED = {
    "${file:/c/r.properties:url}": "https://r:8081",
    "${vault:sr:user}": "ann",
    "${vault:sr:pw}": "p:w",
}


def test_what_the_recipe_provides_fills_placeholders_in() -> None:
    found = read_converters(PLACED, PROVIDED).value
    assert found.urls == ("https://r:8081/api",)
    assert found.login == Login("ann", Secret("p:w"))
    assert found.cannot_log_in is None
    less = {key: value for key, value in PROVIDED.items() if "pw" not in key}
    unfilled = read_converters(PLACED, less).value
    assert unfilled.login is None
    assert unfilled.cannot_log_in is not None
    assert "basic.auth.user.info" in unfilled.cannot_log_in
    assert read_converters(PLACED).value.urls == ()


@pytest.mark.parametrize("source", ["OAUTHBEARER", "sasl_oauthbearer_inherit", "CUSTOM"])
def test_ways_to_log_in_that_we_have_not_are_named(source: str) -> None:
    found = value(schema__registry__url="http://r", bearer__auth__credentials__source=source)
    assert found.login is None
    assert found.cannot_log_in == f"bearer.auth.credentials.source={source.upper()}"


def test_a_config_without_a_word_about_converters_leaves_them_to_the_worker() -> None:
    jaas = 'x.PlainLoginModule required username="ann" password="hunter2";'
    told = read_converters({"topics": "t", "producer.override.sasl.jaas.config": jaas})
    assert told == Converters()
    assert read_converters({"output.data.format": "AVRO"}).value.uses_registry
