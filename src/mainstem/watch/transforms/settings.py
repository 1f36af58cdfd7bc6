"""Config values as the connector itself reads them: trimmed, and placeholders filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, cast

from mainstem.errors import CannotTell

_T = TypeVar("_T")

_PLACEHOLDER = re.compile(r"\$\{([^}:]*):[^}]*\}")
# These look like a config provider's placeholder but are read by the connector, record by record.
_TEMPLATE_WORDS = frozenset({"date", "header", "headers", "body", "property", "exchangeProperty"})
# What drivers write where the default port is meant.
_NO_PORT = ("null", "-1")


class Settings(Mapping[str, str]):
    """A config; reading a value that holds an unfilled placeholder raises ``CannotTell``.

    >>> Settings({"url": "${env:URL}", "to": "${topic}_v1"}, {"${env:URL}": "http://h"})["url"]
    'http://h'
    """

    def __init__(
        self, config: Mapping[str, str], provided: Mapping[str, str] | None = None
    ) -> None:
        self._config = config
        self._provided = provided or {}
        self._filled: dict[str, str] = {}
        self._made: dict[Callable[[Settings], object], object] = {}

    def __getitem__(self, key: str) -> str:
        if key in self._filled:
            return self._filled[key]
        value = self._config[key].strip()
        if "${" not in value:
            return value
        for placeholder, provided in self._provided.items():
            value = value.replace(placeholder, provided.strip())
        if holds_placeholder(value):
            raise CannotTell(f"{key} holds a placeholder that nothing provides")
        self._filled[key] = value
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._config)

    def __len__(self) -> int:
        return len(self._config)

    def first(self, *keys: str) -> str | None:
        """The first of the keys' values that is not blank."""
        config = self._config
        for key in keys:
            value = config.get(key)
            # Asked twenty times for every connector: what holds no placeholder is read here.
            if value and (value := self[key] if "${" in value else value.strip()):
                return value
        return None

    def once(self, make: Callable[[Settings], _T]) -> _T:
        """What ``make`` makes of this config, made once however often it is asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("_T", self._made[make])

    def text(self, key: str, default: str) -> str:
        """The key's value, or the default where it is absent or blank."""
        return self.first(key) or default

    def required(self, *keys: str) -> str:
        """The first of the keys' values that is not blank; none of them cannot be."""
        value = self.first(*keys)
        if value is None:
            raise CannotTell(f"the config has no {' or '.join(keys)}")
        return value

    def port(self, *keys: str) -> str | None:
        """The first of the keys' values that is not blank, which must be a port's number."""
        for key in keys:
            value = self.first(key)
            if value is not None:
                if not value.isdecimal() and value not in _NO_PORT:
                    raise CannotTell(f"{key} is not the number of a port")
                return value
        return None

    def names(self, *keys: str) -> tuple[str, ...]:
        """A list of names between commas, blanks and empty ones dropped."""
        value = self.first(*keys)
        if value is None or "," not in value:
            return () if value is None else (value,)
        return tuple(name for part in value.split(",") if (name := part.strip()))

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false, in any case of letters."""
        return {"true": True, "false": False}.get(self.text(key, "").lower(), default)

    def under(self, prefix: str) -> Settings:
        """The settings whose keys begin with the prefix, without it."""
        length = len(prefix)
        inner = {
            key[length:]: value for key, value in self._config.items() if key.startswith(prefix)
        }
        return Settings(inner, self._provided)


def holds_placeholder(text: str) -> bool:
    """Whether a config provider's placeholder, which may stand for a secret, is in the text.

    >>> holds_placeholder("${file:/secrets:password}")
    True
    >>> holds_placeholder("${topic}-${date:now:yyyy}")
    False
    """
    return "${" in text and any(
        found[1] not in _TEMPLATE_WORDS for found in _PLACEHOLDER.finditer(text)
    )
