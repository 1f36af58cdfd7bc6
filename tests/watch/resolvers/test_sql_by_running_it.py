"""What is told of a query against what happens when a real database runs it on other values."""

# ruff: noqa: S608 - the queries are made here, out of words of ours

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.resolvers.sql_query import Query, parse_query

TABLES = {"t": ("a", "b", "c"), "u": ("c", "d", "e")}
Tables = dict[str, list[tuple[int, ...]]]

columns = st.sampled_from([f"{table}.{name}" for table, names in TABLES.items() for name in names])
values = st.recursive(
    columns,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]} + {two[1]})"),
        st.tuples(inner, inner, inner).map(
            lambda three: f"CASE WHEN {three[0]} > 1 THEN {three[1]} ELSE {three[2]} END"
        ),
        st.tuples(inner, inner).map(lambda two: f"coalesce(nullif({two[0]}, 1), {two[1]})"),
        columns.map(lambda one: f"(SELECT max(v.d) FROM u AS v WHERE v.e <= {one})"),
    ),
    max_leaves=4,
)
conditions = st.one_of(
    st.tuples(values, values).map(lambda two: f"{two[0]} <= {two[1]}"),
    values.map(lambda one: f"{one} IN (SELECT v.b FROM t AS v WHERE v.c > 0)"),
    columns.map(lambda one: f"EXISTS (SELECT * FROM u AS v WHERE v.d = {one})"),
)
joins = st.tuples(
    st.sampled_from(["JOIN", "LEFT JOIN"]),
    st.one_of(st.just("USING (c)"), conditions.map(lambda one: f"ON {one}")),
).map(lambda two: f"t {two[0]} u {two[1]}")
windowed = st.tuples(values, columns, columns).map(
    lambda three: f"sum({three[0]}) OVER (PARTITION BY {three[1]} ORDER BY {three[2]})"
)
plain = st.tuples(st.one_of(values, windowed), st.one_of(values, windowed), joins, conditions).map(
    lambda four: f"SELECT {four[0]} AS x, {four[1]} AS y FROM {four[2]} WHERE {four[3]}"
)
grouped = st.tuples(values, values, joins, conditions).map(
    lambda four: (
        f"SELECT {four[0]} AS x, sum({four[1]}) AS y FROM {four[2]} GROUP BY 1 HAVING {four[3]}"
    )
)
simple = st.one_of(plain, grouped)
queries = st.one_of(
    simple,
    simple.map(lambda one: f"SELECT q.x + 1 AS x, q.y AS y FROM ({one}) AS q WHERE q.y > 1"),
    simple.map(lambda one: f"WITH q AS ({one}) SELECT DISTINCT x, y FROM q"),
    st.tuples(simple, st.sampled_from(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]), simple).map(
        " ".join
    ),
)
numbers = st.integers(0, 3)
tables = st.fixed_dictionaries(
    {name: st.lists(st.tuples(*[numbers] * 3), min_size=3, max_size=4) for name in TABLES}
)


@settings(max_examples=60, deadline=None)
@given(queries, tables, columns, st.lists(numbers, min_size=4, max_size=4))
def test_a_column_that_changes_a_result_is_told(
    sql: str, data: Tables, column: str, others: list[int]
) -> None:
    table, _, name = column.partition(".")
    at = TABLES[table].index(name)
    changed = [
        (*row[:at], other, *row[at + 1 :]) for row, other in zip(data[table], others, strict=False)
    ]
    before, after = run(sql, data), run(sql, {**data, table: changed})
    told = parse_query(sql, "sqlite")
    assert [one.name for one in told.columns] == ["x", "y"], sql
    for number in range(2):
        if Counter(row[number] for row in before) != Counter(row[number] for row in after):
            assert (table, name) in deciding_or_arriving(told, number), (sql, column, number)


def run(sql: str, data: Tables) -> list[tuple[int, ...]]:
    with closing(sqlite3.connect(":memory:")) as database:
        for name, rows in data.items():
            database.execute(f"CREATE TABLE {name} ({', '.join(TABLES[name])})")
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)
        return database.execute(sql).fetchall()


def deciding_or_arriving(told: Query, number: int) -> set[tuple[str, str]]:
    sources = (*told.columns[number].sources, *told.decided_by)
    return {(source.table[0], source.column) for source in sources}
