"""A file gets each event once, also when the process dies between the write and the record."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainstem.outbox.destinations.file import FileDestination
from mainstem.outbox.model import StoredEvent

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def event(number: int, body: bytes) -> StoredEvent:
    return StoredEvent(number, "run", body, NOON)


def test_a_resend_of_the_last_line_is_not_written_twice(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    for _ in range(2):
        FileDestination("file", path, append=True).deliver(event(1, b'{"a":1}'))
    assert path.read_bytes() == b'{"a":1}\n'


def test_an_event_that_ends_like_the_last_line_is_another_event(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    destination = FileDestination("file", path, append=True)
    destination.deliver(event(1, b'[{"a":1}'))
    destination.deliver(event(2, b'{"a":1}'))
    assert path.read_bytes() == b'[{"a":1}\n{"a":1}\n'


def test_half_a_line_of_another_writer_stays_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_bytes(b'{"whole":1}\n{"other')
    FileDestination("file", path, append=True).deliver(event(1, b'{"a":1}'))
    assert path.read_bytes() == b'{"whole":1}\n{"other\n{"a":1}\n'


@given(
    bodies=st.lists(st.text("ab{}", min_size=1, max_size=6), min_size=1, max_size=5, unique=True),
    written=st.integers(0, 40),
)
def test_whatever_was_written_before_the_crash_each_event_stands_once(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[str], written: int
) -> None:
    whole = b"".join(body.encode() + b"\n" for body in bodies)
    cut = whole[: min(written, len(whole))]
    path = tmp_path_factory.mktemp("crash") / "events.ndjson"
    path.write_bytes(cut)
    recorded = max(0, cut.count(b"\n") - (1 if cut.endswith(b"\n") else 0))
    destination = FileDestination("file", path, append=True)
    for number, body in enumerate(bodies[recorded:], start=recorded):
        destination.deliver(event(number, body.encode()))
    assert path.read_bytes() == whole
