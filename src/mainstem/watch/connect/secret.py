"""A value that can be carried and used, but not printed, logged, copied into text or stored."""

from __future__ import annotations

from typing import NoReturn


class Secret:
    """A credential on its way from ``connect`` or the recipe to the one client that needs it.

    >>> f"{Secret('hunter2')}"
    '***'
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself; called only where it is handed to a client library."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    def __str__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(("Secret", self._value))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not serialised")
