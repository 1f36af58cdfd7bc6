"""Where the journal lies when nobody says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mainstem.outbox import default_journal_path


def test_the_strongest_word_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAINSTEM_JOURNAL", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "home")
    assert default_journal_path() == Path("home/.local/state/mainstem/journal.db")
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    assert default_journal_path() == Path("state/mainstem/journal.db")
    monkeypatch.setenv("MAINSTEM_JOURNAL", "mine.db")
    assert default_journal_path() == Path("mine.db")
