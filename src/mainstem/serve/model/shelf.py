"""What is kept at hand up to so many bytes; what was put there first goes first."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Thing = TypeVar("_Thing")


class Shelf(Generic[_Key, _Thing]):
    """Things by key; any thread may look, and put.

    >>> shelf = Shelf[str, str](most_bytes=10)
    >>> shelf.put("a", "first", 6)
    >>> shelf.put("b", "second", 6)
    >>> shelf.get("a"), shelf.get("b")
    (None, 'second')
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._things: dict[_Key, _Thing] = {}
        self._sizes: dict[_Key, int] = {}
        self._bytes = 0
        self._lock = threading.Lock()
        self.get = self._things.get

    def put(self, key: _Key, thing: _Thing, size: int) -> None:
        """Keep a thing of so many bytes, in the place of what was there under its key."""
        with self._lock:
            self._drop(key)
            self._things[key] = thing
            self._sizes[key] = size
            self._bytes += size
            while self._bytes > self._most:
                self._drop(next(iter(self._sizes)))

    def _drop(self, key: _Key) -> None:
        self._things.pop(key, None)
        self._bytes -= self._sizes.pop(key, 0)
