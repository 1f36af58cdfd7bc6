"""Cuts a connector's config down to what may leave this room."""

from __future__ import annotations

import hashlib
import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from mainstem.scrub import MASK, names_a_secret, scrub_value
from mainstem.watch.connect.connection_strings import place_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


_SALTED = ".with.salt."


class AllowedKeys:
    """The config keys that a resolver or a transform declares; no other key is ever passed on."""

    def __init__(self, names: Iterable[str], patterns: Iterable[str] = ()) -> None:
        self._names = frozenset(names)
        self._patterns = tuple(patterns)
        self._fits_a_pattern = lru_cache(maxsize=4096)(self._fits)

    @cached_property
    def _matcher(self) -> re.Pattern[str] | None:
        if not self._patterns:
            return None
        return re.compile("|".join(f"(?:{pattern})" for pattern in self._patterns))

    def __contains__(self, key: str) -> bool:
        return key in self._names or self._fits_a_pattern(key)

    def _fits(self, key: str) -> bool:
        return self._matcher is not None and self._matcher.fullmatch(key) is not None


def redact(
    config: Mapping[str, str], allowed: AllowedKeys, passwords: Collection[str] = ()
) -> dict[str, str]:
    """The declared keys with credentials taken out of their values; secret keys never.

    Of a connection string only the place goes on, whatever its key is called.

    ``passwords`` are the keys that the connector's own plugin calls so.

    >>> redact({"topic": "t", "connection.password": "x", "other": "y"}, AllowedKeys(["topic"]))
    {'topic': 't'}
    """
    redacted: dict[str, str] = {}
    for key, given in config.items():
        if key in allowed:
            value = _redacted(given, is_secret=key in passwords or _names_a_secret(key))
            if value is not None:
                redacted[key] = value
    return _without_salts(redacted)


def _names_a_secret(key: str) -> bool:
    # a salt may look like anything, and is not passed on
    return names_a_secret(key.partition(_SALTED)[0] if _SALTED in key else key)


def _without_salts(config: dict[str, str]) -> dict[str, str]:
    """The config without the salts that Debezium has as a part of its keys."""
    salted = [key for key in config if _SALTED in key]
    for number, key in enumerate(salted):
        config[f"{key.partition(_SALTED)[0]}.{number}"] = config.pop(key)
    return config


def _redacted(value: str, *, is_secret: bool) -> str | None:
    # what is secret as a whole is not kept in memory
    return _place_alone(value) if is_secret else _without_credentials(value)


def _place_alone(value: str) -> str | None:
    return place_of(value) or None


@lru_cache(maxsize=4096)
def _without_credentials(value: str) -> str | None:
    return scrub_value(value) if place_of(value) is None else _place_alone(value)


def config_version(config: Mapping[str, str], passwords: Collection[str] = ()) -> str:
    """A short hash that changes with any key, made of values that hold no credential.

    >>> config_version({"a": "1"}) == config_version({"a": "2"})
    False
    """
    digest = hashlib.sha256()
    for key in sorted(config):
        is_secret = key in passwords or names_a_secret(key)
        value = MASK if is_secret else scrub_value(config[key])
        digest.update(f"{key}\0{value}\0".encode())
    return digest.hexdigest()[:16]
