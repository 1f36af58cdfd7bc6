"""One writer per journal: two would tell every run twice."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from mainstem.errors import JournalInUse

if TYPE_CHECKING:
    from pathlib import Path


class JournalLock:
    """Held until closed, or until the process ends in whatever way; never stale."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(journal.name + ".lock")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._descriptor, 64).decode(errors="replace").strip()
            os.close(self._descriptor)
            raise JournalInUse(str(journal), f"process {holder or 'unknown'}") from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let another process have the journal."""
        os.close(self._descriptor)
