"""All or nothing, on every database: also where statements travel together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from mainstem.sql.connection import Connection
from mainstem.sql.opening import open_database

INSERT = "INSERT INTO kept (id, word) VALUES (?,?)"


@pytest.fixture
def connection(store_url: str) -> Iterator[Connection]:
    database = open_database(store_url)
    connection = database.connect()
    with connection.transaction():
        connection.run("CREATE TABLE kept (id BIGINT PRIMARY KEY, word TEXT NOT NULL)")
        connection.run(INSERT, [1, "one"])
    yield connection
    connection.close()
    database.close()


def kept(connection: Connection) -> list[int]:
    return [number for (number,) in connection.rows("SELECT id FROM kept ORDER BY id")]


def test_rows_are_those_of_the_question_however_much_was_written_before(
    connection: Connection,
) -> None:
    writing = range(2, 7001)
    with connection.transaction():
        for number in writing:
            connection.run(INSERT, [number, "some"])
            if number % 700 == 0:
                time.sleep(0.02)  # a server has by now answered some of so many statements
                asked = connection.rows("SELECT id, word FROM kept WHERE id = ?", [number])
                assert asked == [(number, "some")]
    assert kept(connection) == [1, *writing]


@pytest.mark.parametrize(
    "breaking",
    [
        lambda connection: connection.run(INSERT, [1, "again"]),
        lambda connection: connection.many(INSERT, [(3, "three"), (1, "again"), (4, "four")]),
        lambda connection: connection.many(INSERT, [(n, "some") for n in (3, 4, 6, 7, 8, 9, 1)]),
        lambda connection: connection.rows("SELECT absent FROM kept"),
    ],
    ids=["run", "many", "very many", "rows"],
)
@pytest.mark.parametrize("reads_on", [False, True], ids=["at the end", "before a question"])
def test_what_fails_is_raised_and_nothing_of_it_stays(
    connection: Connection, breaking: Callable[[Connection], object], *, reads_on: bool
) -> None:
    def attempt() -> None:
        with connection.transaction():
            connection.run(INSERT, [2, "two"])
            breaking(connection)
            connection.run(INSERT, [5, "five"])
            if reads_on:
                kept(connection)

    with pytest.raises(Exception, match=r"(?i)unique|no such column|does not exist"):
        attempt()
    assert kept(connection) == [1]
    with connection.transaction():
        connection.run(INSERT, [2, "two"])
    assert kept(connection) == [1, 2]


@pytest.mark.parametrize("count", [3, 300])
def test_many_rows_are_written_as_one_by_one(connection: Connection, count: int) -> None:
    connection.run("CREATE TABLE thing (id BIGINT PRIMARY KEY, word TEXT, bytes {blob}, at BIGINT)")
    rows = [(at, None if at % 3 else f"é{at}", bytes([at % 256]), None) for at in range(count)]
    insert = "INSERT INTO thing (id, word, bytes, at) VALUES (?,?,?,?) ON CONFLICT (id)"
    with connection.transaction():
        connection.many(f"{insert} DO NOTHING", rows)
        connection.many(f"{insert} DO UPDATE SET word = 'again'", rows[: count // 3])
        connection.many(
            "UPDATE thing SET word = ?, at = ? WHERE id = ?",
            [("changed", 2**40 + at, at) for at in range(count // 3, 2 * count // 3)],
        )
        connection.many("DELETE FROM thing WHERE id = ?", [(at,) for at in range(0, count, 2)])
    kept_rows = connection.rows("SELECT id, word, bytes, at FROM thing ORDER BY id")
    expected = [
        (at, "again", one, None)
        if at < count // 3
        else (at, "changed", one, 2**40 + at)
        if at < 2 * count // 3
        else (at, word, one, None)
        for at, word, one, _ in rows
        if at % 2
    ]
    assert [(at, word, bytes(one), when) for at, word, one, when in kept_rows] == expected


def test_a_question_is_answered_for_each_that_it_is_asked_of(connection: Connection) -> None:
    connection.many(INSERT, [(at, f"{at % 3}") for at in range(2, 20)])
    latest = "SELECT word, id FROM kept WHERE word = ? ORDER BY id DESC LIMIT 2"
    assert sorted(connection.each(latest, ["1", "one", "absent"])) == [
        ("1", 16), ("1", 19), ("one", 1),
    ]  # fmt: skip
    assert connection.each(latest, []) == []
