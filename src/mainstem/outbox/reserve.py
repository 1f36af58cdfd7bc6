"""Space kept back beside the journal, so that it can be emptied when the disk is full.

SQLite needs room to write down even a deletion. Without a reserve, a journal that filled its disk
could never be drained: what is delivered could not be recorded as delivered.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LOG_BYTES = 4 * 1024 * 1024
"""What SQLite lets its write-ahead log grow to before it is folded into the file."""

RESERVE_BYTES = 2 * LOG_BYTES


class Reserve:
    """A file of zeros that is given up when the disk is full and made again when it is not."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(f"{journal.name}.reserve")

    def is_kept(self) -> bool:
        """Whether the space is there to be given up."""
        return self._path.exists()

    def secure(self) -> bool:
        """Keep the space back if the disk has it and room to work besides."""
        if self.is_kept():
            return True
        disk = os.statvfs(self._path.parent)
        if disk.f_bavail * disk.f_frsize < RESERVE_BYTES + LOG_BYTES:
            return False
        making = self._path.with_name(f"{self._path.name}.new")
        try:
            descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
            finally:
                os.close(descriptor)
            making.rename(self._path)
        except OSError:
            making.unlink(missing_ok=True)
            return False
        return True

    def release(self) -> bool:
        """Give the space to whoever drains; False when it was already given."""
        try:
            self._path.unlink()
        except FileNotFoundError:
            return False
        return True
