"""The console: one line of JSON per event on standard output."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import pytest

from mainstem.errors import DestinationBusy
from mainstem.outbox import StoredEvent
from mainstem.outbox.destinations.console import ConsoleDestination


def event(body: bytes) -> StoredEvent:
    return StoredEvent(1, "r1", body, datetime(2026, 1, 2, tzinfo=UTC))


def test_each_event_is_one_line_of_its_stored_bytes(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    destination = ConsoleDestination("console")
    destination.deliver(event(b'{"a":"\xc3\xa9"}'))
    destination.deliver(event(b'{"a":2}'))
    assert capfdbinary.readouterr().out == b'{"a":"\xc3\xa9"}\n{"a":2}\n'


def test_a_reader_that_went_away_is_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(sys.executable, "rb") as unwritable:  # noqa: PTH123 - any file that is not writable
        monkeypatch.setattr(sys, "stdout", type("Stdout", (), {"buffer": unwritable}))
        with pytest.raises(DestinationBusy) as busy:
            ConsoleDestination("console").deliver(event(b"{}"))
    assert busy.value.whole
