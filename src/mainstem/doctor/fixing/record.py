"""Fixes, remembered so that they can be taken back exactly, the last one first."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from datetime import datetime  # noqa: TC003 - msgspec reads it
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from mainstem.doctor.picture import Link  # noqa: TC001 - msgspec reads it
from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from collections.abc import Callable


class RecipeChange(Struct, frozen=True):
    """A recipe that a fix wrote, and where its former text lies."""

    path: str
    backup: str
    before: str
    after: str
    """Digests of the texts."""


class Record(Struct, frozen=True):
    """What a fix wrote."""

    at: datetime
    backend: str | None = None
    links: tuple[Link, ...] = ()
    recipe: RecipeChange | None = None


def remember(place: Path, record: Record) -> None:
    """Put a fix on top of those before."""
    _save(place, [*remembered(place), record])


def drop_last(place: Path) -> None:
    """Forget the last fix, which was not made after all."""
    _save(place, remembered(place)[:-1])


def remembered(place: Path) -> list[Record]:
    """Every fix that was not taken back, the last one last."""
    try:
        return msgspec.json.decode(place.read_bytes(), type=list[Record])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError) as error:
        raise BadRecipe(str(place), [f"the fixes cannot be read: {error}"]) from error


def undo_last(place: Path, forget: Callable[[Link], None]) -> None:
    """Take the last fix back; what was taken back before is not missed.

    A recipe that somebody wrote since is left as it is, which is raised once all else is done, so
    that the fixes before can still be taken back.
    """
    *before, last = remembered(place)
    for link in last.links:
        forget(link)
    left = None if last.recipe is None else undo_recipe(last.recipe)
    _save(place, before)
    if last.recipe is not None and left is not None:
        raise BadRecipe(last.recipe.path, [left])


def _save(place: Path, records: list[Record]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, msgspec.json.encode(records))


def change_recipe(path: Path, text: str, stamp: str) -> RecipeChange:
    """Back a recipe up, and say what writing it anew will change; ``apply_recipe`` writes."""
    real = path.resolve()
    backup = real.with_name(f"{real.name}.{stamp}.bak")
    shutil.copy2(real, backup)
    return RecipeChange(str(real), str(backup), _digest(real.read_bytes()), _digest(text.encode()))


def apply_recipe(change: RecipeChange, text: str) -> None:
    """Write the recipe."""
    write_whole(Path(change.path), text.encode())


def undo_recipe(change: RecipeChange) -> str | None:
    """Put the former text back; why not, where somebody wrote the file since."""
    path, backup = Path(change.path), Path(change.backup)
    present = _digest(path.read_bytes()) if path.exists() else None
    if present == change.before:
        backup.unlink(missing_ok=True)
        return None
    if present != change.after:
        what = "is gone" if present is None else "was changed since the fix"
        return f"{what}, so it is left as it is; its former text: {backup}"
    if not backup.exists():
        return f"is left as it is: its former text, {backup}, is gone"
    write_whole(path, backup.read_bytes())
    backup.unlink()
    return None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, with the mode that it had."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, fresh)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
