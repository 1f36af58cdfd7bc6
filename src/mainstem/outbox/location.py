"""Where the journal lies when nobody says."""

from __future__ import annotations

import os
from pathlib import Path


def default_journal_path() -> Path:
    """``$MAINSTEM_JOURNAL``, else ``mainstem/journal.db`` in the user's state directory."""
    if named := os.environ.get("MAINSTEM_JOURNAL"):
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME")
    home = Path(state) if state else Path.home() / ".local" / "state"
    return home / "mainstem" / "journal.db"
