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
        lambda connection: connection.rows("SELECT absent FROM kept"),
    ],
    ids=["run", "many", "rows"],
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
