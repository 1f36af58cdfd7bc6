"""Typed reading of one part of the official client's configuration; mistakes are collected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

T = TypeVar("T")

HIDDEN = "(hidden)"


@dataclass(frozen=True, slots=True)
class Section:
    """One mapping of the configuration, known by its place, for instance ``transport.auth``.

    The values may be secret: only what a reader asks for by name and finds wrong is ever shown.
    """

    place: str
    values: Mapping[str, object] = field(repr=False)
    mistakes: list[str]
    """Shared by all sections of one configuration, so that every mistake is told at once."""

    def text(self, *names: str, default: str = "", secret: bool = False) -> str:
        """The first of these keys that is set, as text."""
        name, value = self._find(names)
        if value is None:
            return default
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return str(value)
        return self._wrong(name, HIDDEN if secret else value, "a text", default)

    def required_text(self, *names: str, secret: bool = False) -> str:
        """The first of these keys that is set; a mistake when none is."""
        found = self.text(*names, secret=secret)
        if not found and self._find(names)[1] is None:
            self.mistakes.append(f"{self.place}.{names[0]} is missing; it must be a text")
        return found

    def seconds(self, name: str, default: float) -> float:
        """A duration above zero."""
        _, value = self._find((name,))
        if value is None:
            return default
        try:
            number = float(cast("str", value))
        except (TypeError, ValueError):
            return self._wrong(name, value, "a number of seconds above 0", default)
        if isinstance(value, bool) or not 0 < number < float("inf"):
            return self._wrong(name, value, "a number of seconds above 0", default)
        return number

    def whole_number(self, name: str, default: int) -> int:
        """A whole number."""
        _, value = self._find((name,))
        if value is None:
            return default
        try:
            return int(cast("str", value))
        except (TypeError, ValueError):
            return self._wrong(name, value, "a whole number", default)

    def flag(self, name: str, *, default: bool) -> bool:
        """True or false."""
        _, value = self._find((name,))
        if value is None:
            return default
        known = {"true": True, "false": False}.get(str(value).strip().lower())
        return self._wrong(name, value, "true or false", default) if known is None else known

    def choice(self, name: str, allowed: tuple[str, ...]) -> str | None:
        """One of the allowed words, or None when the key is not set."""
        _, value = self._find((name,))
        if value is None or value in allowed:
            return cast("str | None", value)
        return self._wrong(name, value, "one of " + ", ".join(allowed), None)

    def section(self, *names: str) -> Section | None:
        """A mapping inside this one, or None when the key is not set."""
        name, value = self._find(names)
        if value is None:
            return None
        place = f"{self.place}.{name}"
        if isinstance(value, Mapping):
            return Section(place, cast("Mapping[str, object]", value), self.mistakes)
        return self._wrong(name, HIDDEN, f"a mapping of keys below {place}", None)

    def texts(self, *names: str) -> dict[str, str]:
        """A mapping of texts, such as headers; their values are never shown."""
        inner = self.section(*names)
        return {} if inner is None else {key: inner.text(key, secret=True) for key in inner.values}

    def _find(self, names: tuple[str, ...]) -> tuple[str, object | None]:
        # The client lower-cases keys that come from OPENLINEAGE__… variables: apiKey, apikey.
        for name in names:
            for spelling in (name, name.lower()):
                if self.values.get(spelling) is not None:
                    return name, self.values[spelling]
        return names[0], None

    def _wrong(self, name: str, value: object, allowed: str, default: T) -> T:
        shown = value if value is HIDDEN else repr(value)
        self.mistakes.append(f"{self.place}.{name} is {shown}; it must be {allowed}")
        return default
