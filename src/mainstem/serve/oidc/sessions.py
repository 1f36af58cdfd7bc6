"""Who is signed in by an issuer's word: kept in memory as hashes, for a working day at most."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, NamedTuple

from mainstem.said.times import SECOND

if TYPE_CHECKING:
    from mainstem.serve.store.tokens import Scope

SECONDS = 8 * 60 * 60
MOST = 10_000


class _Session(NamedTuple):
    scope: Scope
    ends: int


class Sessions:
    """The sessions of one server; a restart ends them all, and signing in again is one click."""

    def __init__(self) -> None:
        self._by_hash: dict[bytes, _Session] = {}

    def open(self, scope: Scope, now: int) -> str:
        """Begin a session; answers its secret, which is not kept."""
        while len(self._by_hash) >= MOST:
            del self._by_hash[next(iter(self._by_hash))]
        secret = secrets.token_urlsafe(32)
        self._by_hash[_hash(secret)] = _Session(scope, now + SECONDS * SECOND)
        return secret

    def scope_of(self, secret: str, now: int) -> Scope | None:
        """What the session with this secret allows; None where there is none any more."""
        found = self._by_hash.get(_hash(secret))
        return found.scope if found is not None and now < found.ends else None

    def end(self, secret: str) -> None:
        """End a session, if it is one."""
        self._by_hash.pop(_hash(secret), None)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
