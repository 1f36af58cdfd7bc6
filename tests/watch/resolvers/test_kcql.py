from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.kcql import parse_kcql

NAMES = st.from_regex(r"[A-Za-z0-9_.:/+-]{1,20}", fullmatch=True)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=4), st.booleans())
@settings(max_examples=40)
def test_targets_and_sources_come_back(pairs: list[tuple[str, str]], quoted: bool) -> None:
    mark = "`" if quoted else ""
    insert = "INSERT INTO\n%s  SELECT * FROM %s PK id"
    text = ";".join(insert % (mark + one + mark, mark + other + mark) for one, other in pairs)
    assert [(one.target, one.source) for one in parse_kcql(text)] == pairs


@pytest.mark.parametrize("text", ["", " ; ", "DELETE FROM secret", "INSERT INTO a SELECT *"])
def test_what_is_no_statement_cannot_be_told_and_is_not_quoted(text: str) -> None:
    with pytest.raises(CannotTell) as unknown:
        parse_kcql(text)
    assert "secret" not in unknown.value.reason


def test_columns_functions_and_clauses() -> None:
    (one,) = parse_kcql(
        "upsert into t select _key.id as `the id`, `now()` as at, a.b from `x;y` "
        "PARTITIONBY a STOREAS JSON"
    )
    named = [(column.path, column.name, column.computed) for column in one.columns]
    assert named == [("_key.id", "the id", False), ("now()", "at", True), ("a.b", "b", False)]
    assert (one.source, one.clauses) == ("x;y", {"PARTITIONBY"})


@pytest.mark.parametrize("text", ["SELECT *, id FROM t", "INSERT INTO a SELECT x.* FROM t"])
def test_a_star_selects_everything(text: str) -> None:
    assert parse_kcql(text)[0].columns == ()
