"""Where downloads and the lab keep their files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def mainstem_home(environment: Mapping[str, str]) -> Path:
    """The directory of everything that outlives a command: ``MAINSTEM_HOME``, else a cache."""
    chosen = environment.get("MAINSTEM_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    cache = environment.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "mainstem"
