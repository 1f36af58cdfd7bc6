from __future__ import annotations

import pickle

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainstem import scrub as scrubbing
from mainstem.scrub import scrub
from mainstem.watch.connect.reading import SnapshotReader
from mainstem.watch.connect.redaction import AllowedKeys, config_version, redact
from mainstem.watch.connect.secret import Secret
from recorded import recorded

EVERYTHING = AllowedKeys([], [".*"])
CANARY = "c4n4ry-Zx9"

PLACES = [
    "jdbc:postgresql://u:{}@db:5432/shop",
    "jdbc:postgresql://db/shop?user=u&password={}",
    "jdbc:sqlserver://db:1433;databaseName=d;user=sa;password={};encrypt=true",
    "jdbc:sqlserver://db:1433;databaseName=d;user=sa;password=a@{};encrypt=true",
    "jdbc:oracle:thin:scott/{}@db:1521:orcl",
    "jdbc:oracle:thin:scott/a@{}@db:1521:orcl",
    "jdbc:oracle:thin:scott/{}@//db:1521/svc",
    "mongodb+srv://u:{}@cluster0.example.net/db?retryWrites=true",
    "amqps://user:{}@broker:5671/vhost",
    "http://u:p@ss{}@host:8081/path",
    ("org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\""
    " password=\"{}\";"),
    "Authorization: Bearer {}",
    "authorization=Basic {}",
    "aws2-s3://bucket?accessKey=AK&secretKey={}&region=eu",
    "{{\"password\": \"{}\", \"user\": \"u\"}}",
    "Login failed for url ...;Password={}",
    "sasl.jaas.config=x required password='{}';",
    "AccountKey={};EndpointSuffix=core.windows.net",
    "SharedAccessSignature sig={}&se=2027",
    "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    "api_key: {}",
    "token={}",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_no_credential_of_any_kind_survives_in_a_trace(place: str) -> None:
    text = f"java.sql.SQLException: cannot connect: {place.format(CANARY)}\n\tat a.B.c(B.java:1)"
    scrubbed = scrub(text)
    assert CANARY not in scrubbed
    assert scrubbed.startswith("java.sql.SQLException: cannot connect: ")
    assert scrubbed.endswith("\tat a.B.c(B.java:1)")


@pytest.mark.parametrize(
    "text",
    [
        "jdbc:postgresql://db:5432/shop?currentSchema=public",
        "jdbc:bigquery://https://www.example.com/v2:443;ProjectId=p;Email=sa@p.example;Dataset=d",
        "Failed to find any class that implements Connector and which name matches X",
        "No lookup of topic orders:42 in (a, b)",
    ],
)
def test_text_without_credentials_stays_as_it_is(text: str) -> None:
    assert scrub(text) == text


@given(st.text())
def test_scrubbing_twice_changes_nothing_more(text: str) -> None:
    assert scrub(scrub(text)) == scrub(text)


def test_only_declared_keys_leave_and_secret_ones_never() -> None:
    config = recorded("secrets_plaintext_config")["body"]
    kept = redact(config, AllowedKeys(["topics", "connection.url"], [r"connection\..*"]))
    assert set(kept) == {"topics", "connection.url", "connection.username"}
    assert "sink-s3cret" not in str(redact(config, EVERYTHING))


def test_maps_of_names_are_not_mistaken_for_credentials() -> None:
    config = {"snowflake.topic2table.map": "auth_token:tokens,password-resets:resets"}
    assert redact(config, EVERYTHING) == config


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        (
            "mongodb.connection.string",
            f"mongodb://u:{CANARY}@m1:27017,m2:27017/?authSource=admin",
            "mongodb://m1:27017,m2:27017/?authSource=admin",
        ),
        (
            "azure.storage.connection.string",
            f"DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={CANARY}==;x=y",
            "AccountName=acme",
        ),
        (
            "servicebus.connection.string",
            f"Endpoint=sb://acme.example/;SharedAccessKeyName=root;SharedAccessKey={CANARY}",
            "Endpoint=sb://acme.example/",
        ),
        (
            "client.conf.string",
            f"https::addr=quest:9000;username=admin;password={CANARY};",
            "addr=quest:9000",
        ),
    ],
)
def test_connection_strings_keep_their_place_and_lose_their_key(
    key: str, value: str, kept: str
) -> None:
    assert redact({key: value}, EVERYTHING) == {key: kept}
    if not value.startswith("mongodb"):
        assert redact({key: value}, EVERYTHING, passwords=[key]) == {key: kept}


@pytest.mark.parametrize(
    "value",
    [
        f"AccountName=AccountKey={CANARY};AccountKey={CANARY}",
        f"SharedAccessKey={CANARY};Endpoint=sb://u:{CANARY}@host/",
        f"tcp::addr=u:{CANARY}@h:9009;token={CANARY};",
        f"http::username=u;password=;addr=;addr={CANARY}=x;",
    ],
)
def test_a_connection_string_whose_place_is_not_plain_tells_nothing(value: str) -> None:
    assert redact({"a.connection.string": value}, EVERYTHING) == {}


def test_the_config_version_changes_with_every_key_but_holds_no_secret() -> None:
    first = {"topics": "a", "batch.size": "1", "connection.password": "one"}
    assert config_version(first) != config_version({**first, "batch.size": "2"})
    assert config_version(first) == config_version({**first, "connection.password": "two"})


def test_a_secret_is_not_printed_compared_in_clear_or_serialised() -> None:
    secret = Secret(CANARY)
    assert CANARY not in f"{secret} {secret!r} {[secret]}"
    assert secret == Secret(CANARY)
    assert secret.reveal() == CANARY
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_no_planted_secret_of_the_recorded_answers_is_in_a_snapshot() -> None:
    answer = recorded("mixed_connectors_expand_info_status")["body"]
    for entry in answer.values():
        entry["info"]["config"]["connection.password"] = CANARY
        entry["info"]["config"]["some.url"] = f"http://u:{CANARY}@h/x?token={CANARY}"
        entry["status"]["connector"]["trace"] = f"E: password={CANARY}"
        for task in entry["status"]["tasks"]:
            task["trace"] = f"E: jdbc:postgresql://u:{CANARY}@h/db"
    assert CANARY not in repr(SnapshotReader(EVERYTHING).read(orjson.dumps(answer)))


@pytest.mark.parametrize(
    "broken",
    [None, 7, [], {}, {"info": None}, {"info": {"config": {}}, "status": {"connector": {}}},
     {"info": {"config": {}}, "status": {"connector": {"state": 3}, "tasks": []}}],
)  # fmt: skip
def test_one_unreadable_entry_stops_no_other(broken: object) -> None:
    answer = recorded("healthy_connectors_expand_info_status")["body"]
    snapshot = SnapshotReader(EVERYTHING).read(orjson.dumps({**answer, "broken": broken}))
    assert set(snapshot.connectors) == set(answer)
    assert snapshot.unreadable == {"broken": "the worker's answer lacks its config or its state"}


def test_an_unchanged_connector_is_the_same_object_in_the_next_look() -> None:
    reader = SnapshotReader(EVERYTHING)
    answer = recorded("healthy_connectors_expand_info_status")["body"]
    first = reader.read(orjson.dumps(answer))
    answer["file-sink"]["status"]["connector"]["state"] = "PAUSED"
    second = reader.read(orjson.dumps(answer))
    assert second.connectors["file-src"] is first.connectors["file-src"]
    assert second.connectors["file-sink"] != first.connectors["file-sink"]


def test_the_same_entry_in_another_order_is_no_change() -> None:
    reader = SnapshotReader(EVERYTHING)
    answer = recorded("healthy_connectors_expand_info_status")["body"]
    first = reader.read(orjson.dumps(answer))
    second = reader.read(orjson.dumps(answer, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))
    for name, observed in first.connectors.items():
        assert second.connectors[name] is observed


@pytest.mark.parametrize("body", [b"[]", b"null", b'{"a": ', b"{}{}", b'{"a": ' + b"[" * 100_000])
def test_what_is_no_map_of_connectors_is_an_error_of_the_answer(body: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        SnapshotReader(EVERYTHING).read(body)


FRAGMENTS = [
    *("a", " ", "=", ":", "@", "://", ";", "BASIC ", "bearer ", "AKIA", "ABCDEFGHIJKLMNOP", "eyJ"),
    *("abcdef.abcdef", "ghp_", "xoxb-", "sk-", "AIza", "0123456789", "-----BEGIN A-----", "passwd"),
    *("Token", "api_key", "user.info", "'x y'", '"z"', "sig", "jdbc:oracle:thin:"),
    *("{", "}", "=RAW(", ")", ",", "&", "/"),
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join))
def test_what_spares_most_texts_the_patterns_spares_none_that_they_change(text: str) -> None:
    expected = text
    for patterns in (
        scrubbing.RECOGNISED_BY_FORM,
        scrubbing.RECOGNISED_BY_ITS_ENDS,
        scrubbing.RECOGNISED_BY_ADDRESS,
        scrubbing.RECOGNISED_BY_NAME,
    ):
        for pattern, replacement in patterns:
            expected = pattern.sub(replacement, expected)
    assert scrub(text) == expected


def test_the_salts_in_debezium_s_keys_stay_here() -> None:
    allowed = AllowedKeys([], [r"column\.mask\.hash\..+"])
    config = {
        "column.mask.hash.SHA-256.with.salt.Pe.pp3r": "a.b.c",
        "column.mask.hash.SHA-256.with.salt.api.key": "a.b.d",
        "column.mask.hash.v2.MD5.with.salt.x": "a.b.e",
    }
    told = redact(config, allowed)
    assert sorted(told.values()) == ["a.b.c", "a.b.d", "a.b.e"]
    assert all(key.startswith("column.mask.hash.") for key in told)
    assert not [key for key in told if "salt" in key or "Pe" in key or "api" in key]
