"""The second guard: which keys a connector's own plugin calls a password, whatever their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_password_keys(answer: Sequence[Any]) -> frozenset[str]:
    """The names of the PASSWORD keys in an answer to ``/connector-plugins/{class}/config``."""
    keys: set[str] = set()
    for definition in answer:
        match definition:
            case {"name": str(name), "type": "PASSWORD"}:
                keys.add(name)
            case _:
                continue
    return frozenset(keys)
