"""The last fix, remembered so that it can be taken back exactly."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
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

    backend: str | None = None
    links: tuple[Link, ...] = ()
    recipe: RecipeChange | None = None


def save_record(place: Path, record: Record) -> None:
    """Remember a fix in the place of the one before."""
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, msgspec.json.encode(record))


def load_record(place: Path) -> Record:
    """The last fix."""
    try:
        return msgspec.json.decode(place.read_bytes(), type=Record)
    except FileNotFoundError as error:
        raise BadRecipe("doctor --undo", ["there is no fix to take back"]) from error
    except (OSError, msgspec.DecodeError) as error:
        raise BadRecipe(str(place), [f"the last fix cannot be read: {error}"]) from error


def change_recipe(path: Path, text: str, stamp: str) -> RecipeChange:
    """Back a recipe up, and say what writing it anew will change; ``apply_recipe`` writes."""
    real = path.resolve()
    backup = real.with_name(f"{real.name}.{stamp}.bak")
    shutil.copy2(real, backup)
    return RecipeChange(str(real), str(backup), _digest(real.read_bytes()), _digest(text.encode()))


def apply_recipe(change: RecipeChange, text: str) -> None:
    """Write the recipe."""
    write_whole(Path(change.path), text.encode())


def undo_recipe(change: RecipeChange) -> None:
    """Put the former text back, unless somebody wrote the file since."""
    path, backup = Path(change.path), Path(change.backup)
    present = _digest(path.read_bytes())
    if present == change.after:
        write_whole(path, backup.read_bytes())
    elif present != change.before:
        raise BadRecipe(
            change.path,
            [f"was changed since the fix, so it is left as it is; its former text: {backup}"],
        )
    backup.unlink(missing_ok=True)


def undo(record: Record, place: Path, forget: Callable[[Link], None]) -> None:
    """Take a fix back; what was taken back before is not missed."""
    for link in record.links:
        forget(link)
    if record.recipe is not None:
        undo_recipe(record.recipe)
    place.unlink()


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
