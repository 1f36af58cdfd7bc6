from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import Resolution
from mainstem.watch.resolvers.name_lists import plain_names
from mainstem.watch.transforms.java_regex import matches
from watch.resolvers.connectors import connector

pieces = st.sampled_from(
    ["a", "b", r"\.", "[.]", ".", "|", "(a|b)", "(?:a|b)", "(", ")", "^", "$", "*"]
)
NAMES = ["".join(letters) for length in range(4) for letters in product("ab.", repeat=length)]


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=6).map("".join))
def test_names_that_a_pattern_spells_out_are_those_that_it_matches(pattern: str) -> None:
    spelt = plain_names(pattern)
    try:
        matched = {name for name in NAMES if matches(pattern, name)}
    except CannotTell:
        assert spelt is None
        return
    if spelt is not None:
        assert all(matches(pattern, name) for name in spelt)
        # A bare dot is taken for a dot, so it may match more than what is meant.
        assert "." in pattern or matched <= set(spelt)


def reasons(kind: str, direction: str, config: dict[str, str], *topics: str) -> str:
    told = resolve(connector(direction, {"connector.class": kind, **config}, *topics))
    return " ".join(told.unresolved) if isinstance(told, Resolution) else told.reason


POSTGRES = "io.debezium.connector.postgresql.PostgresConnector"
JDBC = "io.confluent.connect.jdbc.JdbcSinkConnector"


@pytest.mark.parametrize("topics", [(), ("srv.public.a",)])
def test_a_list_that_java_refuses_is_told_by_its_key(topics: tuple[str, ...]) -> None:
    server = {"topic.prefix": "srv", "database.hostname": "h", "database.dbname": "d"}
    for key in ("table.include.list", "schema.exclude.list", "table.blacklist"):
        told = reasons(POSTGRES, "source", {**server, key: "public.[a"}, *topics)
        assert told == f"{key} holds a regular expression that Java refuses"
    told = reasons(JDBC, "sink", {"topics.regex": "(a"}, *topics)
    assert "topics.regex is a regular expression that Java refuses" in told
