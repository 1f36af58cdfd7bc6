"""Registers that keep the latest word; merging commutes, so any order gives the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from mainstem.said.json_values import kept_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.said.json_values import Json

NOTHING_SAID = b"{}"
READ_TAKES = 4
"""How much more memory values take than their JSON alone."""


class Facets:
    """The latest of each facet by order key; a facet marked ``_deleted`` is gone.

    >>> facets = Facets()
    >>> facets.say({"sql": {"query": "b"}}, "2")
    True
    >>> facets.say({"sql": {"query": "a"}, "doc": {}}, "1")
    True
    >>> facets.values
    {'sql': {'query': 'b'}, 'doc': {}}
    """

    __slots__ = ("_stored", "_values", "keys")

    def __init__(self, stored: bytes = NOTHING_SAID, keys: dict[str, str] | None = None) -> None:
        self._stored: bytes | None = stored
        self._values: Json | None = None
        self.keys = {} if keys is None else keys

    @property
    def values(self) -> Json:
        """The facets that stand, by name."""
        if self._values is None:
            self._values = orjson.loads(self._stored or NOTHING_SAID)
        assert self._values is not None  # noqa: S101 - for the type checker
        return self._values

    def stands(self, spelled: bytes) -> bool:
        """Whether some facets, in their one spelling, are what stands already."""
        return self._stored is not None and spelled == self._stored

    def say(self, facets: Json, key: str, spelled: bytes | None = None) -> bool:
        """Let one event's facets replace those said before it; False if no value changed.

        ``spelled`` is what ``spell_facets`` makes of the facets, where it is known already.
        """
        if not facets:
            return False
        keys = self.keys
        if spelled is not None and self.stands(spelled):
            self.repeat(facets, key)
            return False
        alone = keys.keys() <= facets.keys() and _newest(keys) < key
        if self._values is None and alone:
            self._values = {}  # every stored value is about to be replaced: spare the reading
        values = self.values
        for name, facet in facets.items():
            if key <= keys.get(name, ""):
                continue
            keys[name] = key
            if facet is None or facet.get("_deleted") is True:
                values.pop(name, None)
            else:
                values[name] = facet
        nothing_else = alone and len(values) == len(facets)
        self._stored = spelled if nothing_else else None
        return True

    def adopt(self, spelled: bytes, keys: dict[str, str]) -> bool:
        """Let facets that delete none stand alone, unless some other has a later word."""
        if any(key >= keys.get(name, "") for name, key in self.keys.items()):
            return False
        self._stored, self._values, self.keys = spelled, None, keys
        return True

    def repeat(self, names: Iterable[str], key: str) -> None:
        """Note that an event says again what stands."""
        keys = self.keys
        for name in names:
            keys[name] = max(keys[name], key)

    def get(self, name: str) -> Json:
        """One facet, or an empty one."""
        return self.values.get(name) or {}

    def to_bytes(self) -> bytes:
        """The facets as one JSON object, names in order."""
        if self._stored is None:
            self._stored = spell_facets(self.values)
        return self._stored

    @property
    def size(self) -> int:
        """About how many bytes they take in memory, read or not."""
        return len(self.to_bytes()) * (1 if self._values is None else READ_TAKES)

    def fold_up(self) -> None:
        """Keep the bytes alone, which are smaller than what they say."""
        self.to_bytes()
        self._values = None


def spell_facets(facets: Json) -> bytes:
    """The one spelling of some facets, names in order."""
    return kept_json(facets, in_order=True)


def _newest(keys: dict[str, str]) -> str:
    return max(keys.values(), default="")


def earliest(one: int | None, other: int | None) -> int | None:
    """The earlier of two instants, either of which may be unknown."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
