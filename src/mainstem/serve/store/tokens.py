"""API tokens: shown once, kept as hashes. They are 256 random bits, so a fast hash is enough."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from mainstem.sql.connection import Connection

PREFIX = "ms_"


class Scope(StrEnum):
    """What a token lets its bearer do."""

    READ = "read"
    """Every GET."""

    WRITE = "write"
    """Everything, sending events included."""


class Token(Struct, frozen=True):
    """A token as the store knows it: never the secret itself."""

    id: str
    name: str
    scope: Scope
    secret_hash: bytes
    created: int
    revoked: int | None


def create_token(connection: Connection, name: str, scope: Scope, now: int) -> str:
    """Make a token; answers its secret, which nobody can ask for again."""
    number = secrets.token_hex(4)
    secret = f"{PREFIX}{number}_{secrets.token_urlsafe(32)}"
    connection.run(
        "INSERT INTO token (id, name, scope, secret_hash, created) VALUES (?,?,?,?,?)",
        [number, name, scope.value, _hash(secret), now],
    )
    return secret


def tokens(connection: Connection) -> list[Token]:
    """Every token, oldest first."""
    rows = connection.rows(
        "SELECT id, name, scope, secret_hash, created, revoked FROM token ORDER BY created, id"
    )
    return [Token(row[0], row[1], Scope(row[2]), bytes(row[3]), row[4], row[5]) for row in rows]


def revoke_token(connection: Connection, number: str, now: int) -> None:
    """Make a token worthless from now on."""
    connection.run("UPDATE token SET revoked = ? WHERE id = ? AND revoked IS NULL", [now, number])


def scope_of(secret: str, known: list[Token]) -> Scope | None:
    """What a presented secret allows; every token is compared, in constant time."""
    presented = _hash(secret)
    found: Scope | None = None
    for token in known:
        if hmac.compare_digest(token.secret_hash, presented) and token.revoked is None:
            found = token.scope
    return found


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
