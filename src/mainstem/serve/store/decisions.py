"""What users decided over the API: settings, tags, aliases, what is hidden. Kept by a rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.serve.store.catalog import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.sql.connection import Connection, Row

_NAMESPACE = """INSERT INTO namespace_setting (name, created, updated, owner, description)
VALUES (?,?,?,?,?)
ON CONFLICT (name) DO UPDATE SET updated = excluded.updated, owner = excluded.owner,
  description = excluded.description"""
_SOURCE = """INSERT INTO source_setting (name, created, updated, type, url, description)
VALUES (?,?,?,?,?,?)
ON CONFLICT (name) DO UPDATE SET updated = excluded.updated, type = excluded.type,
  url = excluded.url, description = excluded.description"""
_TAG = """INSERT INTO tag (id, name, description)
VALUES ((SELECT coalesce(max(id), 0) + 1 FROM tag), ?, ?)
ON CONFLICT (name) DO UPDATE SET description = coalesce(excluded.description, tag.description)"""
_ALIAS = """INSERT INTO alias_choice (digest, namespace, name, other_namespace, other_name,
  accepted, decided)
VALUES (?,?,?,?,?,?,?)
ON CONFLICT (digest) DO UPDATE SET accepted = excluded.accepted, decided = excluded.decided"""


class AliasChoice(NamedTuple):
    """A user's word on an alias; both names are None where whole namespaces are meant."""

    namespace: str
    name: str | None
    other_namespace: str
    other_name: str | None
    accepted: bool
    """False takes an alias out that a symlink said."""


def put_namespace(
    connection: Connection, name: str, owner: str, description: str | None, now: int
) -> None:
    """Give a namespace its owner and description."""
    connection.run(_NAMESPACE, [name, now, now, owner, description])


def ensure_default_namespace(connection: Connection, now: int) -> None:
    """Make the namespace that every Marquez client expects to be there."""
    connection.run(
        "INSERT INTO namespace_setting (name, created, updated, owner, description)"
        " VALUES ('default', ?, ?, 'anonymous', 'For what belongs to no other namespace.')"
        " ON CONFLICT DO NOTHING",
        [now, now],
    )


def put_source(
    connection: Connection, name: str, said: tuple[str, str, str | None], now: int
) -> None:
    """Describe a source by its type, its URL and a description."""
    connection.run(_SOURCE, [name, now, now, *said])


def put_tag(connection: Connection, name: str, description: str | None) -> None:
    """Make a tag, or describe it anew."""
    connection.run(_TAG, [name, description])


def tags(connection: Connection) -> list[Row]:
    """Every tag with its description, as they were made."""
    return connection.rows("SELECT name, description FROM tag ORDER BY id")


def put_tagging(connection: Connection, kind: str, digest: bytes, field: str, tag: str) -> None:
    """Tag a job, a dataset or a field."""
    connection.run(
        "INSERT INTO tagging (kind, digest, field, tag) VALUES (?,?,?,?) ON CONFLICT DO NOTHING",
        [kind, digest, field, tag],
    )


def drop_tagging(connection: Connection, kind: str, digest: bytes, field: str, tag: str) -> None:
    """Take a tag away again."""
    connection.run(
        "DELETE FROM tagging WHERE kind = ? AND digest = ? AND field = ? AND tag = ?",
        [kind, digest, field, tag],
    )


def taggings(connection: Connection) -> list[Row]:
    """Every tagging: kind, digest, field, tag."""
    return connection.rows("SELECT kind, digest, field, tag FROM tagging ORDER BY tag")


def hide(connection: Connection, kind: str, digest: bytes) -> None:
    """Hide a namespace, job or dataset until an event speaks of it again."""
    connection.run(
        "INSERT INTO hidden (kind, digest) VALUES (?,?) ON CONFLICT DO NOTHING", [kind, digest]
    )


def show_again(connection: Connection, kinds_and_digests: Iterable[tuple[str, bytes]]) -> None:
    """Show what was hidden."""
    connection.many("DELETE FROM hidden WHERE kind = ? AND digest = ?", list(kinds_and_digests))


def hidden(connection: Connection) -> set[tuple[str, bytes]]:
    """Everything hidden."""
    rows = connection.rows("SELECT kind, digest FROM hidden")
    return {(kind, bytes(digest)) for kind, digest in rows}


def decide_alias(connection: Connection, choice: AliasChoice, now: int) -> None:
    """Accept or reject an alias."""
    names = choice[:4]
    connection.run(_ALIAS, [_alias_digest(choice), *names, int(choice.accepted), now])


def forget_alias(connection: Connection, choice: AliasChoice) -> None:
    """Take a decision on an alias back, so that symlinks alone speak of it."""
    connection.run("DELETE FROM alias_choice WHERE digest = ?", [_alias_digest(choice)])


def _alias_digest(choice: AliasChoice) -> bytes:
    namespace, name, other_namespace, other_name, _ = choice
    return digest_of(namespace, name or "", other_namespace, other_name or "")


def alias_choices(connection: Connection) -> list[AliasChoice]:
    """Every decision on aliases, oldest first."""
    rows = connection.rows(
        "SELECT namespace, name, other_namespace, other_name, accepted FROM alias_choice"
        " ORDER BY decided, namespace, other_namespace, name"
    )
    return [
        AliasChoice(one, name, other, other_name, bool(accepted))
        for one, name, other, other_name, accepted in rows
    ]
