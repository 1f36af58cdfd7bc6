"""Whatever a config holds: nothing raises, nothing secret comes out, one bad one stays alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.resolvers import FAMILIES, resolve
from mainstem.watch.resolvers.model import Resolution, Unresolved
from mainstem.watch.resolvers.told import as_json
from watch.resolvers.connectors import connector, edges

SECRET = "hunter2"
CLASSES = sorted(name for family in FAMILIES for name in family.classes)
READS = {name: family.reads.names for family in FAMILIES for name in family.classes}
ODD = (
    *(
        "",
        " ",
        ",",
        ".",
        "a",
        "a,b",
        "a.b.c.d.e",
        "a:b",
        ".*",
        "(",
        "[",
        "\\",
        "*",
        "a=b",
        "%s",
        "é",
    ),
    *("${topic}", "${env:X}", "${", "true", "-1", "0", "\x00", "SELECT * FROM a", "SELECT ("),
    *("jdbc:postgresql://h/d", "jdbc:oracle:thin:@h:1:s", "jdbc:", "://", "http://h:99999/x?y#z"),
    *("mongodb://h1,h2/?x=1", "mongodb+srv://h", "h1:1,h2:2", "[::1]:5", "a/b,c/d"),
)
odd_values = st.sampled_from(ODD) | st.text(max_size=8)


@st.composite
def mangled(draw: st.DrawFn) -> tuple[str, dict[str, str], list[str]]:
    kind = draw(st.sampled_from(CLASSES))
    keys = st.sampled_from([*READS[kind], "topics", "topics.regex", "transforms"])
    config = draw(st.dictionaries(keys, odd_values, max_size=10))
    direction = draw(st.sampled_from(["source", "sink", "unknown"]))
    return direction, {**config, "connector.class": kind}, draw(st.lists(odd_values, max_size=3))


@settings(max_examples=200, deadline=None)
@given(mangled())
def test_no_family_raises_whatever_its_own_keys_hold(
    case: tuple[str, dict[str, str], list[str]],
) -> None:
    direction, config, topics = case
    told = resolve(connector(direction, config, *topics))
    assert json.dumps(as_json("c", told))
    if isinstance(told, Resolution):
        assert {edge.input for edge in told.edges} <= set(told.inputs)
        assert {edge.output for edge in told.edges} <= set(told.outputs)
    else:
        assert "family failed" not in told.reason, config


PLANTED = [
    "jdbc:postgresql://user:PASSWORD@h/d",
    "jdbc:postgresql://h/d?user=u&password=PASSWORD",
    "jdbc:mysql://u:PASSWORD@h1:3306,h2:3307/d",
    "jdbc:mysql://(host=h,user=u,password=PASSWORD)/d",
    "jdbc:sqlserver://h;user=u;password=PASSWORD",
    "jdbc:sqlserver://h;databaseName=d;password={PASSWORD};x=y",
    "jdbc:oracle:thin:u/PASSWORD@//h:1521/s",
    "jdbc:oracle:thin:u/PASSWORD@(DESCRIPTION=(ADDRESS=(HOST=h)(PORT=1))(CONNECT_DATA=(SID=s)))",
    "jdbc:db2://h:50000/d:user=u;password=PASSWORD;",
    "jdbc:snowflake://a.snowflakecomputing.com/?user=u&password=PASSWORD&db=d",
    "jdbc:bigquery://https://h:443;ProjectId=p;OAuthAccessToken=PASSWORD;DefaultDataset=d",
    "jdbc:redshift://h:5439/d;UID=u;PWD=PASSWORD",
    "jdbc:unheard:of?token=PASSWORD",
    "mongodb://u:PASSWORD@h1:27017,h2:27017/d",
    "mongodb://u:PASSWORD@h/d?authSource=a",
    "mongodb+srv://u:pa/PASSWORD?x@h/d",
    "https://u:PASSWORD@h:443/x",
    "https://h/x?api_key=PASSWORD",
    "SASL_SSL://u:PASSWORD@h:9092",
]
ADDRESSES = (
    "connection.url",
    "connection.uri",
    "mongodb.connection.string",
    "mongodb.hosts",
    "database.hostname",
    "connection.host",
    "oracle.server",
    "cassandra.hosts",
)


odd_characters = st.text("@/:?#;&=%(),'\" \\", max_size=3)


def told_of(kind: str, direction: str, address: str, planted: str) -> str:
    config = {
        "connector.class": kind,
        "topics": "t",
        "topic.prefix": "p",
        "database.dbname": "d",
        "db.name": "d",
        "table.whitelist": "s.a",
        "table.include.list": "s.a",
        "collection.include.list": "s.a",
        address: planted,
    }
    return json.dumps(as_json("c", resolve(connector(direction, config, "p.s.a"))))


@pytest.mark.parametrize("planted", PLANTED)
def test_no_credential_of_an_address_comes_out(planted: str) -> None:
    address = planted.replace("PASSWORD", SECRET)
    for family in FAMILIES:
        for key in ADDRESSES:
            for direction in ("source", "sink"):
                assert SECRET not in told_of(family.classes[0], direction, key, address)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PLANTED), st.sampled_from(CLASSES), odd_characters, odd_characters)
def test_no_credential_comes_out_whatever_characters_it_has(
    planted: str, kind: str, before: str, after: str
) -> None:
    address = planted.replace("PASSWORD", f"{before}{SECRET}{after}")
    for key in ADDRESSES:
        if key in READS[kind]:
            assert SECRET not in told_of(kind, "sink", key, address)
            assert SECRET not in told_of(kind, "source", key, address)


def test_no_credential_of_an_address_that_is_provided_comes_out() -> None:
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "${vault:db:url}",
        "topics": "t",
    }
    for planted in PLANTED:
        provided = {"${vault:db:url}": planted.replace("PASSWORD", SECRET)}
        told = resolve(connector("sink", config, provided=provided))
        assert SECRET not in json.dumps(as_json("c", told))


def test_one_bad_connector_among_a_thousand_is_reported_and_stops_none() -> None:
    def sink(number: int) -> dict[str, Any]:
        bad = number == 500
        return {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "connection.url": 7 if bad else f"jdbc:postgresql://h/d{number}",
            "topics": "t",
        }

    answers = [resolve(connector("sink", sink(number))) for number in range(1000)]
    failed = [number for number, one in enumerate(answers) if isinstance(one, Unresolved)]
    assert failed == [500]
    assert answers[500] == Unresolved("JDBC sink", "the JDBC sink family failed: TypeError")
    for number, answer in enumerate(answers):
        if number != 500:
            assert edges(answer) == {("t", f"d{number}.public.t", "config")}
