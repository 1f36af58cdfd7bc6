from __future__ import annotations

import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.sql_query import parse_query


def tables(sql: str, system: str = "mysql") -> set[str]:
    return {".".join(table) for table in parse_query(sql, system).tables}


def columns(sql: str, system: str = "mysql") -> dict[str, set[tuple[str, str]]]:
    return {
        column.name: {
            (f"{'.'.join(source.table)}.{source.column}", source.transformation)
            for source in column.sources
        }
        for column in parse_query(sql, system).columns
    }


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * FROM a", {"a"}),
        ("SELECT * FROM d.a x, b LEFT JOIN c ON b.i = c.i;", {"d.a", "b", "c"}),
        ("SELECT * FROM (SELECT * FROM a) x WHERE i IN (SELECT i FROM b)", {"a", "b"}),
        ("WITH b AS (SELECT * FROM a) SELECT * FROM b JOIN c ON TRUE", {"a", "c"}),
        ("WITH a AS (SELECT * FROM d.a) SELECT * FROM a", {"d.a"}),
        ("SELECT i FROM a UNION SELECT i FROM b UNION ALL SELECT i FROM c", {"a", "b", "c"}),
        ("SELECT x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.i = a.i)", {"a", "b"}),
        ("(SELECT i FROM a)", {"a"}),
        ("SELECT 1 AS one", set[str]()),
    ],
)
def test_every_table_that_is_read(sql: str, expected: set[str]) -> None:
    assert tables(sql) == expected


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("postgres", {"s.t", "Quoted"}),
        ("oracle", {"S.T", "Quoted"}),
        ("snowflake", {"S.T", "Quoted"}),
        ("h2", {"S.T", "Quoted"}),
        ("unheard-of", {"S.t", "Quoted"}),
    ],
)
def test_names_without_quotes_are_folded_as_the_system_does(
    system: str, expected: set[str]
) -> None:
    assert tables('SELECT * FROM S.t JOIN "Quoted" q ON 1 = 1', system) == expected


def test_brackets_and_hints_of_sql_server() -> None:
    sql = "SELECT TOP 5 [Id] FROM [erp].[dbo].[Order Lines] WITH (NOLOCK)"
    assert tables(sql, "sqlserver") == {"erp.dbo.Order Lines"}


@pytest.mark.parametrize(
    ("sql", "system"),
    [
        ("EXEC dbo.report", "sqlserver"),
        ("CALL report()", "mysql"),
        ("DELETE FROM a", "mysql"),
        ("SELECT a FROM b; SELECT c FROM d", "mysql"),
        ("SELECT * FROM (SELECT 1", "mysql"),
        ("nonsense", "mysql"),
        ("", "mysql"),
        ("(" * 5000, "mysql"),
        ("SELECT " + "x," * 30_000 + "x FROM t", "mysql"),
        ("SELECT * FROM other.erp.dbo.people", "sqlserver"),
        ("SELECT * FROM people@other", "oracle"),
    ],
)
def test_what_is_not_one_readable_query_is_not_guessed(sql: str, system: str) -> None:
    with pytest.raises(CannotTell) as unknown:
        parse_query(sql, system)
    assert "people" not in unknown.value.reason


def test_columns_through_joins_sub_queries_and_aliases() -> None:
    sql = """
        WITH big AS (SELECT id, price * amount AS total FROM orders)
        SELECT big.id AS order_id, upper(c.name) AS name, max(big.total) AS top, count(*) AS n
        FROM big JOIN (SELECT * FROM customers) c ON c.id = big.id GROUP BY 1, 2
    """
    assert columns(sql) == {
        "order_id": {("orders.id", "IDENTITY")},
        "name": {("customers.name", "TRANSFORMATION")},
        "top": {("orders.price", "AGGREGATION"), ("orders.amount", "AGGREGATION")},
        "n": set[tuple[str, str]](),
    }


def test_columns_of_a_union_are_paired_by_position() -> None:
    assert columns("SELECT a AS x FROM t UNION ALL SELECT lower(b) FROM u") == {
        "x": {("t.a", "IDENTITY"), ("u.b", "TRANSFORMATION")}
    }


def rows(sql: str, system: str = "mysql") -> set[tuple[str, str]]:
    return {
        (f"{'.'.join(source.table)}.{source.column}", source.transformation)
        for source in parse_query(sql, system).decided_by
    }


def test_a_column_of_no_certain_table_is_left_out() -> None:
    sql = "SELECT who, t.a, (SELECT * FROM u) AS top FROM t JOIN u ON t.i = u.i"
    assert columns(sql) == {"a": {("t.a", "IDENTITY")}}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a FROM t WHERE b = 1", {("t.b", "FILTER")}),
        ("SELECT t.a FROM t JOIN u ON t.i = u.j", {("t.i", "JOIN"), ("u.j", "JOIN")}),
        ("SELECT t.a FROM t JOIN u USING (i)", {("t.i", "JOIN"), ("u.i", "JOIN")}),
        ("SELECT a, sum(b) FROM t GROUP BY a", {("t.a", "GROUP_BY")}),
        ("SELECT upper(a) AS b FROM t GROUP BY 1", {("t.a", "GROUP_BY")}),
        ("SELECT upper(a) AS b FROM t GROUP BY b", {("t.a", "GROUP_BY")}),
        ("SELECT a + b AS c FROM t ORDER BY c DESC", {("t.a", "SORT"), ("t.b", "SORT")}),
        ("SELECT sum(b) AS c FROM t HAVING c > 1", {("t.b", "FILTER")}),
        ("SELECT DISTINCT a FROM t", {("t.a", "GROUP_BY")}),
        ("SELECT DISTINCT ON (a) b FROM t", {("t.a", "GROUP_BY")}),
        ("SELECT a FROM t UNION SELECT b FROM u", {("t.a", "GROUP_BY"), ("u.b", "GROUP_BY")}),
        ("SELECT a FROM t EXCEPT SELECT b FROM u", {("t.a", "FILTER"), ("u.b", "FILTER")}),
        (
            "SELECT a FROM t UNION ALL SELECT b FROM u ORDER BY a",
            {("t.a", "SORT"), ("u.b", "SORT")},
        ),
        ("SELECT x.a FROM (SELECT a FROM t WHERE b = 1) x", {("t.b", "FILTER")}),
        ("WITH x AS (SELECT a, b AS c FROM t) SELECT a FROM x WHERE c = 1", {("t.b", "FILTER")}),
        ("SELECT a FROM t WHERE b IN (SELECT c FROM u)", {("t.b", "FILTER"), ("u.c", "FILTER")}),
        (
            "SELECT a FROM t WHERE EXISTS (SELECT * FROM u WHERE u.i = t.i)",
            {("t.i", "FILTER"), ("u.i", "FILTER")},
        ),
    ],
)
def test_what_decides_over_rows(sql: str, expected: set[tuple[str, str]]) -> None:
    assert rows(sql, "postgres") == expected


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT t.a FROM t JOIN u ON TRUE WHERE b = 1",
        "SELECT upper(a) AS b FROM t WHERE b = 'X'",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE b = 1)",
        "SELECT t.a FROM t NATURAL JOIN u",
    ],
    ids=["of either table", "a name that the query gives", "of either query", "of unknown name"],
)
def test_what_may_be_another_column_is_not_told_to_decide(sql: str) -> None:
    assert rows(sql, "postgres") == set()


@pytest.mark.parametrize(
    ("made_by", "expected"),
    [
        (
            "CASE WHEN a THEN b ELSE c END",
            {"a CONDITIONAL", "b TRANSFORMATION", "c TRANSFORMATION"},
        ),
        ("CASE a WHEN 1 THEN b END", {"a CONDITIONAL", "b TRANSFORMATION"}),
        ("coalesce(a, b)", {"a TRANSFORMATION", "a CONDITIONAL", "b TRANSFORMATION"}),
        ("nullif(a, b)", {"a TRANSFORMATION", "b CONDITIONAL"}),
        ("row_number() OVER (PARTITION BY a ORDER BY b)", {"a WINDOW", "b WINDOW"}),
        ("lag(a) OVER (ORDER BY b)", {"a TRANSFORMATION", "b WINDOW"}),
        ("sum(a) OVER w", {"a AGGREGATION", "b WINDOW"}),
        ("sum(a) FILTER (WHERE b > 1)", {"a AGGREGATION", "b FILTER"}),
        ("string_agg(a, ',' ORDER BY b)", {"a AGGREGATION", "b SORT"}),
        ("percentile_cont(0.5) WITHIN GROUP (ORDER BY a)", {"a AGGREGATION"}),
        ("max(CASE WHEN a THEN b END)", {"a CONDITIONAL", "b AGGREGATION"}),
        ("count(DISTINCT a)", {"a AGGREGATION"}),
    ],
)
def test_what_decides_how_a_column_comes_out(made_by: str, expected: set[str]) -> None:
    sql = " ".join(["SELECT", made_by, "AS x FROM t WINDOW w AS (ORDER BY b)"])
    found = {f"{name[2:]} {kind}" for name, kind in columns(sql, "postgres")["x"]}
    assert found == expected


def test_a_column_of_a_query_in_an_expression() -> None:
    sql = "SELECT (SELECT max(u.x) FROM u WHERE u.i = t.i) AS top FROM t"
    assert columns(sql) == {"top": {("u.x", "AGGREGATION"), ("u.i", "FILTER"), ("t.i", "FILTER")}}
    assert rows(sql) == set()


def test_rows_that_are_taken_away_give_no_value() -> None:
    assert columns("SELECT a FROM t EXCEPT SELECT b FROM u") == {"a": {("t.a", "IDENTITY")}}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t PIVOT (sum(a) FOR b IN (1, 2))",
        "SELECT x.c FROM t AS x(c)",
        "WITH x(c, d) AS (SELECT * FROM t) SELECT c FROM x",
    ],
)
def test_columns_under_other_names_than_the_tables_are_not_told(sql: str) -> None:
    query = parse_query(sql, "snowflake")
    assert (query.columns, query.star) == ((), None)


def test_a_hash_masks_what_it_is_made_of_alone() -> None:
    sql = "SELECT concat(md5(mail), name) AS x, concat(md5(mail), mail) AS y FROM people"
    x, y = parse_query(sql, "mysql").columns
    assert {one.column: one.masking for one in x.sources} == {"mail": True, "name": False}
    assert [one.masking for one in y.sources] == [False]


def test_a_long_chain_of_sub_queries_is_walked_once() -> None:
    query = "SELECT x FROM t"
    for _ in range(12):
        query = " ".join(["SELECT q.x + q.x AS x FROM (", query, ") q"])
    assert columns(query) == {"x": {("t.x", "TRANSFORMATION")}}


def test_a_recursive_query_ends() -> None:
    sql = """
        WITH RECURSIVE tree AS (
            SELECT id FROM nodes UNION ALL SELECT n.id FROM nodes n JOIN tree ON n.up = tree.id
        ) SELECT id FROM tree
    """
    assert tables(sql, "postgres") == {"nodes"}


words = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "WITH",
        "AS",
        "JOIN",
        "UNION",
        "(",
        ")",
        ",",
        "*",
        "a",
        "b.c",
        "'x'",
        '"',
        "`",
        "[",
        "]",
        ";",
        "1",
        "NULL",
        "/*",
        "--",
        "${env:X}",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(words, max_size=25).map(" ".join), st.sampled_from(["mysql", "oracle", "x"]))
def test_no_text_however_mangled_raises_anything_else(sql: str, system: str) -> None:
    with suppress(CannotTell):
        assert all(parse_query(sql, system).tables)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 20_000 + "1" + ")" * 20_000 + " FROM a",
        "SELECT * FROM " + "(SELECT * FROM " * 2_000 + "a" + ")" * 2_000,
        "SELECT * FROM a " + "JOIN b " * 60,
        "SELECT " + "f(" * 15_000 + "1" + ")" * 15_000 + " FROM a",
        "SELECT " + "{" * 2_000 + "1" + "}" * 2_000 + " FROM a",
        "SELECT a" + "[1]" * 3_000 + " FROM a",
        "SELECT 1 " + "FROM " * 3_000 + "a",
    ],
)
def test_a_query_that_would_keep_the_parser_busy_is_not_tried(sql: str) -> None:
    with pytest.raises(CannotTell, match="nested too deeply"):
        parse_query(sql, "mysql")


DEEP = """
import threading
from mainstem.errors import CannotTell
from mainstem.watch.resolvers.sql_query import parse_query

def read():
    for sql in (
        "SELECT " + "CASE WHEN a THEN " * 2000 + "1" + " END" * 2000 + " AS x FROM t",
        "SELECT a" + "::int" * 4000 + " AS x FROM t",
        "SELECT a FROM t WHERE " + "NOT a = " * 4000 + "1",
        "SELECT " + "PRIOR - " * 4000 + "a FROM t",
        "SELECT " + "CASE WHEN a THEN " * 700 + "1" + " END" * 700 + " AS x FROM t",
    ):
        try:
            print(len(parse_query(sql, "postgres").tables))
        except CannotTell as unknown:
            print(unknown.reason)

threading.stack_size(256 * 1024)
thread = threading.Thread(target=read)
thread.start()
thread.join()
"""


def test_no_query_ends_the_process_where_a_thread_has_little_stack() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", DEEP], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) == 5


def test_many_joins_with_their_conditions_are_no_reason_to_give_up() -> None:
    joins = [f"JOIN t{number} ON t{number}.i = a.i" for number in range(60)]
    assert len(tables(" ".join(["SELECT * FROM a", *joins]))) == 61
