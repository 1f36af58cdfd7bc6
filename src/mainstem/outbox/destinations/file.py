"""Events in files: appended to one, a line each, or each in a file of its own.

What the official client's file transport means by ``append``: true is one file that grows; false
(its default) is a new file per event, ``{log_file_path}-{time}….json``. A file is made readable by
its owner alone, a symbolic link at its place is not followed, and an event counts as delivered
only once it is on the disk.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import DestinationBusy, DestinationLocked

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from mainstem.outbox.model import StoredEvent

OWNER_ONLY = 0o600
NOT_FOLLOWING = os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
NEEDS_A_PERSON = frozenset({errno.ELOOP, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR})


class FileDestination(Struct, frozen=True):
    """Writes events to the disk."""

    name: str
    path: Path
    append: bool
    kind: str = "file"

    def deliver(self, event: StoredEvent) -> None:
        """Return once the event is on the disk."""
        with self._file_errors():
            if self.append:
                _append_line(self.path, event.body)
            else:
                _write_whole(self._path_of(event), event.body)

    def close(self) -> None:
        """Every delivery closes its file, so that one that was moved away is begun anew."""

    def _path_of(self, event: StoredEvent) -> Path:
        # From the stored time and id, so that a resend overwrites its own file and no other.
        when = event.stored_at.strftime("%Y%m%d-%H%M%S.%f")
        return self.path.with_name(f"{self.path.name}-{when}-{event.id}.json")

    @contextmanager
    def _file_errors(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            reason = f"{self.path}: {error.strerror or error}"
            if error.errno in NEEDS_A_PERSON:
                raise DestinationLocked(self.name, reason) from error
            raise DestinationBusy(self.name, reason, whole=True) from error


def _append_line(path: Path, body: bytes) -> None:
    is_new = not path.exists()
    descriptor = os.open(path, NOT_FOLLOWING | os.O_RDWR | os.O_APPEND, OWNER_ONLY)
    try:
        if not _is_last_line(descriptor, body):
            _write_all(descriptor, _mend_torn_line(descriptor, body) + body + b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if is_new:
        _sync_directory(path.parent)


def _is_last_line(descriptor: int, body: bytes) -> bool:
    """Whether the event is there already: it was written, and then the process was killed.

    Only the last line can be such an event, since one is written down before the next is sent.
    """
    size, needed = os.fstat(descriptor).st_size, len(body) + 1
    if size < needed or os.pread(descriptor, needed, size - needed) != body + b"\n":
        return False
    return size == needed or os.pread(descriptor, 1, size - needed - 1) == b"\n"


def _mend_torn_line(descriptor: int, body: bytes) -> bytes:
    """What must stand before the event: nothing, or the line end that a crash cost another.

    A crash in the middle of a write leaves half a line; if it is half of this event it goes.
    """
    size = os.fstat(descriptor).st_size
    if size == 0 or os.pread(descriptor, 1, size - 1) == b"\n":
        return b""
    start = max(0, size - len(body))
    torn = os.pread(descriptor, size - start, start).rpartition(b"\n")[2]
    if not body.startswith(torn):
        return b"\n"
    os.ftruncate(descriptor, size - len(torn))
    return b""


def _write_whole(path: Path, body: bytes) -> None:
    descriptor = os.open(path, NOT_FOLLOWING | os.O_WRONLY | os.O_TRUNC, OWNER_ONLY)
    try:
        _write_all(descriptor, body + b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    _sync_directory(path.parent)


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _sync_directory(directory: Path) -> None:
    """A new file's name is on the disk only once its directory is."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
