"""Files: appended lines, whole files, torn lines, links."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mainstem.errors import DestinationBusy, DestinationLocked
from mainstem.outbox import StoredEvent
from mainstem.outbox.destinations.file import FileDestination


def event(number: int, body: bytes = b"{}") -> StoredEvent:
    return StoredEvent(number, "r1", body, datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC))


def test_events_are_appended_one_line_each_for_the_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "events.ndjson"
    destination = FileDestination("file", file, append=True)
    destination.deliver(event(1, b'{"a":1}'))
    destination.deliver(event(2, b'{"a":2}'))
    assert file.read_bytes() == b'{"a":1}\n{"a":2}\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_after_a_torn_line_the_next_event_starts_on_a_new_one(tmp_path: Path) -> None:
    file = tmp_path / "events.ndjson"
    file.write_bytes(b'{"whole":1}\n{"torn":')
    FileDestination("file", file, append=True).deliver(event(1, b'{"next":1}'))
    assert file.read_bytes() == b'{"whole":1}\n{"torn":\n{"next":1}\n'


def test_a_file_that_was_moved_away_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "events.ndjson"
    destination = FileDestination("file", file, append=True)
    destination.deliver(event(1, b"1"))
    file.rename(tmp_path / "events.ndjson.1")
    destination.deliver(event(2, b"2"))
    assert file.read_bytes() == b"2\n"


def test_without_append_each_event_has_a_file_and_a_resend_the_same(tmp_path: Path) -> None:
    destination = FileDestination("file", tmp_path / "events", append=False)
    for number in (1, 2, 2):
        destination.deliver(event(number, str(number).encode()))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [
        "events-20260102-030405.678000-1.json",
        "events-20260102-030405.678000-2.json",
    ]
    assert [file.read_bytes() for file in files] == [b"1\n", b"2\n"]


@pytest.mark.parametrize("append", [True, False])
def test_a_link_is_not_followed(tmp_path: Path, append: bool) -> None:
    target = tmp_path / "precious"
    target.write_text("untouched")
    destination = FileDestination("file", tmp_path / "events", append=append)
    place = tmp_path / "events" if append else destination._path_of(event(1))
    place.symlink_to(target)
    with pytest.raises(DestinationLocked):
        destination.deliver(event(1))
    assert target.read_text() == "untouched"


def test_a_missing_directory_is_for_later(tmp_path: Path) -> None:
    destination = FileDestination("file", tmp_path / "later" / "events", append=True)
    with pytest.raises(DestinationBusy):
        destination.deliver(event(1))
    (tmp_path / "later").mkdir()
    destination.deliver(event(1))


def test_a_directory_at_its_place_needs_a_person(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    with pytest.raises(DestinationLocked, match=os.strerror(21)):
        FileDestination("file", tmp_path / "events", append=True).deliver(event(1))
