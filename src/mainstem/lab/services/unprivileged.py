"""Running as somebody who is not root, where a program refuses root."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.errors import ServiceFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

NOBODY = "nobody"
"""The user that every Unix has and that owns nothing."""


def stand_in() -> str | None:
    """The user to run as: nobody for root, ourselves (None) for everyone else."""
    return NOBODY if os.geteuid() == 0 else None


def is_reachable(path: Path) -> bool:
    """Whether every user may enter all directories on the way to ``path`` and itself."""
    return all(_lets_everyone_in(place) for place in (path, *path.parents) if place.exists())


def public_directory(private: Path) -> Path:
    """A directory of ours that every user can reach, always the same for ``private``."""
    ours = Path(tempfile.gettempdir()) / f"mainstem-{os.geteuid()}"
    ours.mkdir(mode=0o755, exist_ok=True)
    # The place can be guessed: somebody else may have made it first, or linked it elsewhere.
    if ours.is_symlink() or ours.stat().st_uid != os.geteuid():
        raise ServiceFailed("postgres", f"{ours} belongs to somebody else; remove it")
    ours.chmod(0o755)
    return ours / hashlib.sha256(str(private).encode()).hexdigest()[:12]


def published(root: Path, parts: Sequence[str]) -> Path:
    """A directory with these parts of ``root`` that every user can read: itself, or a copy."""
    if all(is_reachable(root / part) for part in parts):
        return root
    copy = public_directory(root)
    if not copy.exists():
        unfinished = Path(tempfile.mkdtemp(dir=copy.parent))
        for part in parts:
            shutil.copytree(root / part, unfinished / part, symlinks=True)
        _let_everyone_read(unfinished)
        unfinished.rename(copy)
    return copy


def _lets_everyone_in(path: Path) -> bool:
    return bool(path.stat().st_mode & stat.S_IXOTH)


def _let_everyone_read(tree: Path) -> None:
    for place in (tree, *tree.rglob("*")):
        if not place.is_symlink():
            mode = place.stat().st_mode
            runs = place.is_dir() or mode & stat.S_IXUSR
            place.chmod(mode | stat.S_IRGRP | stat.S_IROTH | (0o011 if runs else 0))
