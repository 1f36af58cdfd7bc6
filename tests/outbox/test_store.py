"""Storing: the caller's transaction, the file, the status."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from mainstem.errors import JournalUnusable, JournalUnwritable
from mainstem.outbox import Outbox, OutboxItem, OutboxReader, apply_migrations
from mainstem.outbox.schema import MIGRATIONS
from outbox.doubles import MemoryDestination, items, open_lane, store, texts


def test_events_and_the_callers_own_rows_commit_together(box: Outbox) -> None:
    with box.transaction() as connection:
        connection.execute("CREATE TABLE runs (id TEXT)")

    def store_half() -> None:
        with box.transaction() as connection:
            connection.execute("INSERT INTO runs VALUES ('r1')")
            box.append(connection, items(("r1", "start")))
            raise InterruptedError

    with pytest.raises(InterruptedError):
        store_half()
    with box.transaction() as connection:
        assert connection.execute("SELECT COUNT(*) FROM runs").fetchone() == (0,)
        assert connection.execute("SELECT COUNT(*) FROM outbox_event").fetchone() == (0,)


def test_a_body_with_a_line_break_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="one line"):
        OutboxItem("r1", b'{\n"a": 1}')


def test_the_file_is_for_its_owner_alone(box: Outbox) -> None:
    assert stat.S_IMODE(box.path.stat().st_mode) == 0o600


def test_what_was_stored_before_a_crash_is_there_after(tmp_path: Path) -> None:
    first = Outbox.open(tmp_path / "journal.db")
    store(first, ("r1", "a"), ("r1", "b"))
    second = Outbox.open(tmp_path / "journal.db")
    destination = MemoryDestination()
    lane = open_lane(second, destination)
    while lane.step() is not None:
        pass
    assert texts(destination.taken) == ["a", "b"]


def test_a_full_disk_raises_retry_later_and_stores_nothing(box: Outbox) -> None:
    with box.transaction() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    box._connection.execute(f"PRAGMA max_page_count = {pages + 4}")

    def fill() -> None:
        while True:
            with box.transaction() as connection:
                box.append(connection, [OutboxItem("r1", b"x" * 2000)] * 10)

    with pytest.raises(JournalUnwritable, match="nothing of this was stored"):
        fill()
    before = box._connection.execute("SELECT COUNT(*) FROM outbox_event").fetchone()
    box._connection.execute("PRAGMA max_page_count = 1000000")
    store(box, ("r1", "after"))
    after = box._connection.execute("SELECT COUNT(*) FROM outbox_event").fetchone()
    assert before[0] % 10 == 0
    assert after[0] == before[0] + 1


def test_a_mistake_in_a_statement_is_not_dressed_up_as_a_full_disk(box: Outbox) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"), box.transaction() as c:
        c.execute("INSERT INTO nowhere VALUES (1)")
    store(box, ("r1", "still works"))


@pytest.mark.parametrize("damage", ["header", "page", "not-sqlite"])
def test_a_damaged_file_is_set_aside_and_a_fresh_one_begun(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.db"
    box = Outbox.open(path)
    store(box, *[("r1", "x" * 500)] * 50)
    box.close()
    content = bytearray(path.read_bytes())
    match damage:
        case "header":
            content[0:100] = bytes(100)
        case "page":
            content[4096 : 3 * 4096] = b"\xff" * (2 * 4096)
        case _:
            content = bytearray(b"this was never a database\n" * 200)
    path.write_bytes(content)

    fresh = Outbox.open(path)
    store(fresh, ("r1", "new"))
    aside = [file for file in tmp_path.iterdir() if ".damaged-" in file.name]
    assert [file.read_bytes() for file in aside if not file.name.endswith(("-wal", "-shm"))] == [
        bytes(content)
    ]
    assert Outbox.open(path).status() == ()


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    box = Outbox.open(tmp_path / "journal.db")
    with box.transaction() as connection:
        connection.execute("INSERT INTO migration VALUES ('outbox', ?)", (len(MIGRATIONS) + 1,))
    with pytest.raises(JournalUnusable, match="newer Mainstem"):
        Outbox.open(tmp_path / "journal.db")
    assert [file.name for file in tmp_path.iterdir() if "damaged" in file.name] == []


def test_reading_a_journal_that_is_not_there_says_so_and_makes_none(tmp_path: Path) -> None:
    with pytest.raises(JournalUnusable, match="no such journal"):
        OutboxReader(tmp_path / "none.db").status()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("known", range(1, len(MIGRATIONS)))
def test_a_journal_of_an_older_version_is_brought_up_to_date(tmp_path: Path, known: int) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as old, old:
        apply_migrations(old, "outbox", MIGRATIONS[:known])
        old.execute("INSERT INTO outbox_event VALUES (1, 'r1', X'7B7D', 0)")
    box = Outbox.open(path)
    assert (box.size().events, box.size().bytes) == (1, 2)
    destination = MemoryDestination()
    lane = open_lane(box, destination)
    while lane.step() is not None:
        pass
    assert destination.bodies == [b"{}"]
