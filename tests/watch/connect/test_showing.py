"""What of a config goes into a catalogue: no secret, wherever it stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mainstem.scrub import scrub
from mainstem.watch.connect.redaction import AllowedKeys, redact
from mainstem.watch.connect.showing import shown_config

EVERYTHING = AllowedKeys([], [".*"])
CANARY = "c4n4ry"
TEXT = st.text(st.sampled_from("ab1&;,@/)}=?# :+%"), max_size=6)
SECRET = st.tuples(TEXT, TEXT).map(CANARY.join)

ENDS_SOMEWHERE = {
    "sqlserver": (
        "connection.url",
        "jdbc:sqlserver://h:1433;databaseName=d;user=sa;password={{{}}};encrypt=true",
        lambda secret: secret.replace("}", "}}"),
    ),
    "oracle": (
        "connection.url",
        'jdbc:oracle:thin:scott/"{}"@//h:1521/SVC',
        lambda secret: secret,
    ),
    "camel": (
        "camel.sink.url",
        "aws2-s3://bk?accessKey=AK&secretKey=RAW({})&region=eu",
        lambda secret: re.sub(r"\)&+", ")", secret),
    ),
    "camel braces": (
        "camel.sink.url",
        "aws2-s3://bk?accessKey=AK&secretKey=RAW{{{}}}&region=eu",
        lambda secret: re.sub(r"\}&+", "}", secret),
    ),
}  # fmt: skip
"""Where the syntax says for sure where a secret ends: it is nowhere, not even in a trace.

Camel ends one at the first bracket that an ampersand follows, so none of these holds such a pair.
"""


@pytest.mark.parametrize("kind", ENDS_SOMEWHERE)
@settings(max_examples=40)
@given(SECRET)
@example(f"}}&&{CANARY}")
@example(f")&&{CANARY}")
def test_a_secret_whose_end_is_known_leaves_no_piece(kind: str, secret: str) -> None:
    key, template, spelled = ENDS_SOMEWHERE[kind]
    value = template.format(spelled(secret))
    before, after = template.format("X").split("X")
    redacted = redact({key: value}, EVERYTHING)
    for told in (scrub(value), *redacted.values(), *shown_config(redacted).values()):
        assert CANARY not in told
    if kind != "oracle":
        assert scrub(value) == scrub(before + "X" + after)
    assert CANARY not in scrub(f"no way: {value}\n\tat a.B.c(B.java:1)")


PLACES = {
    "http.api.url": "https://h/v1/orders?code={}&key=Y",
    "api1.http.api.path": "/v1/orders?code={}",
    "connection.url": "jdbc:postgresql://h/db?sslmode=require&sslkeypin={}",
    "connection.uri": "mongodb://h/?appName={}",
    "camel.source.url": "ftp:h/in?account={}",
    "database.url": "jdbc:sqlserver://h;databaseName=d;clientId={}",
    "db2.url": "jdbc:db2://h:50000/db:clientThing={};",
    "query": "SELECT a FROM t WHERE p = '{}' AND b = 1",
    "camel.source.path.query": "select * from t where p='{}'",
    "snapshot.select.statement.overrides.a.b": "SELECT * FROM a.b WHERE p = '{}'",
    "neo4j.cypher.topic.t": 'MATCH (n {{p: "{}"}}) RETURN n',
    "pipeline": '[{{"$match": {{"p": "{}"}}}}]',
}


@pytest.mark.parametrize("key", PLACES)
@settings(max_examples=30)
@given(st.text(st.sampled_from("ab1%.+"), max_size=5).map(lambda end: CANARY + end))
def test_values_of_options_and_queries_stay_here(key: str, secret: str) -> None:
    shown = shown_config(redact({key: PLACES[key].format(secret)}, EVERYTHING))
    assert CANARY not in shown[key]


@pytest.mark.parametrize(
    "query",
    [
        r"SELECT 1 WHERE p = 'a\' AND q = 'c4n4ry'",
        r"SELECT 1 WHERE p = 'a\'c4n4ry'",
        "SELECT 1 -- don't\nWHERE p = 'c4n4ry'",
        "SELECT 1 WHERE p = q'[it's c4n4ry]'",
        "SELECT 1 WHERE p = 'it''s c4n4ry",
        'SELECT "it\'s" WHERE p = "c4n4ry"',
        "SELECT [it's] FROM t WHERE p = 'c4n4ry'",
    ],
)
def test_quotes_that_mean_something_else_hide_the_rest(query: str) -> None:
    assert CANARY not in shown_config({"query": query})["query"]


def test_what_says_where_something_is_stays() -> None:
    config = {
        "connection.url": "jdbc:postgresql://h:5432/shop?currentSchema=public&sslmode=require",
        "database.url": "jdbc:sqlserver://h:1433;databaseName=shop;encrypt=true",
        "query": 'SELECT "a" FROM "shop"."orders" o JOIN "items" i ON o.id = i.id',
        "topics.regex": "a?b.*",
        "topic.namespace.map": '{"shop.orders": "orders"}',
        "transforms.r.regex": "(?<name>.*)",
        "hdfs.url": "hdfs://namenode:8020",
    }
    assert shown_config(config) == config


def test_who_logs_in_is_not_shown() -> None:
    assert shown_config({"connection.user": "sa", "database.username": "sa", "topics": "t"}) == {
        "topics": "t"
    }
