"""Values behind ``${file:…}`` and ``${env:…}``, read only where the recipe allows it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.scrub import names_a_secret, scrub_value
from mainstem.watch.connect.properties import parse_properties

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PLACEHOLDER = re.compile(r"\$\{(file|env):(?:([^}:]*):)?([^}:]+)\}")
LARGEST_FILE = 1024 * 1024

FileState = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Providers:
    """The directories and variable names that a recipe opens; nothing else is ever read."""

    directories: tuple[Path, ...] = ()
    names: tuple[str, ...] = ()
    """Patterns of variable names, matched whole."""

    environment: Mapping[str, str] = field(
        default_factory=dict[str, str], repr=False, compare=False
    )
    _files: dict[Path, tuple[FileState, dict[str, str]]] = field(
        default_factory=dict[Path, tuple[FileState, dict[str, str]]],
        init=False,
        repr=False,
        compare=False,
    )

    def values(self, config: Mapping[str, str]) -> dict[str, str]:
        """Each placeholder of the config that may be read, and its value without credentials.

        A key that names a secret stays a placeholder even where its file may be read.
        """
        if not (self.directories or self.names):
            return {}
        return {
            placeholder: scrub_value(value)
            for placeholder, value in self._found(config)
            if "\n" not in value
        }

    def _found(self, config: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for text in config.values():
            for match in _PLACEHOLDER.finditer(text) if "${" in text else ():
                provider, path, key = match.groups()
                if names_a_secret(key):
                    continue
                value = self._variable(key) if provider == "env" else self._in_file(path, key)
                if value is not None:
                    yield match.group(), value

    def _variable(self, name: str) -> str | None:
        allowed = any(re.fullmatch(pattern, name) for pattern in self.names)
        return self.environment.get(name) if allowed else None

    def _in_file(self, path: str | None, key: str) -> str | None:
        """The value in a properties file; no link that leads out of the directories is followed."""
        if not path:
            return None
        try:
            file = Path(path).resolve(strict=True)
            if not any(file.is_relative_to(each.resolve()) for each in self.directories):
                return None
            return self._properties(file).get(key)
        except (OSError, ValueError):
            return None

    def _properties(self, file: Path) -> dict[str, str]:
        about = file.stat()
        state = (about.st_mtime_ns, about.st_size)
        known = self._files.get(file)
        if known is None or known[0] != state:
            whole = about.st_size <= LARGEST_FILE
            known = (state, parse_properties(file.read_text("utf-8")) if whole else {})
            self._files[file] = known
        return known[1]
