"""The ``file`` transport of the official client's configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from mainstem.logs import log
from mainstem.outbox.destinations.file import FileDestination
from mainstem.outbox.destinations.official import OfficialDestination
from mainstem.outbox.destinations.official import build as build_official

if TYPE_CHECKING:
    from mainstem.outbox.section import Section


def build(name: str, section: Section) -> FileDestination | OfficialDestination:
    """A destination from ``{type: file, log_file_path: …, append: …}``."""
    written = section.required_text("log_file_path")
    parts = urlsplit(written)
    remote = "://" in written and parts.scheme != "file"
    if remote or section.text("filesystem"):
        return build_official(name, section)
    if section.flag("debug_mode", default=False):
        log.warning("debug_mode is not followed: event fields never go into file names", name=name)
    path = Path(unquote(parts.path)) if parts.scheme == "file" else Path(written)
    return FileDestination(name, path, append=section.flag("append", default=False))
