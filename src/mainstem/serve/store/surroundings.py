"""What events say in passing: namespaces, sources, symlinks, who ever touched a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.names.dataset import DatasetName
from mainstem.said.event import time_of_key
from mainstem.serve.store.catalog import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.sql.connection import Connection

_SAVE_NAMESPACE = """INSERT INTO namespace (name, created) VALUES (?,?)
ON CONFLICT (name) DO UPDATE SET created = {least}(namespace.created, excluded.created)"""
_SAVE_SOURCE = """INSERT INTO source (name, first_key, created, key, updated, url)
VALUES (?,?,?,?,?,?)
ON CONFLICT (name) DO UPDATE SET
  first_key = {least}(source.first_key, excluded.first_key),
  created = {least}(source.created, excluded.created),
  updated = {greatest}(source.updated, excluded.updated),
  url = CASE WHEN excluded.key > source.key THEN excluded.url ELSE source.url END,
  key = {greatest}(source.key, excluded.key)"""
_SAVE_SYMLINK = """INSERT INTO symlink (digest, namespace, name, other_namespace, other_name,
  first_key)
VALUES (?,?,?,?,?,?)
ON CONFLICT (digest) DO UPDATE SET
  first_key = {least}(symlink.first_key, excluded.first_key)"""
_SAVE_TOUCHED = """INSERT INTO touched (dataset_id, job_id, written) VALUES (?,?,?)
ON CONFLICT DO NOTHING"""


class SourceSaid(NamedTuple):
    """A data source as events name it."""

    name: str
    first_key: str
    key: str
    """The order key of the last event that named it, whose URL stands."""

    url: str


class Symlink(NamedTuple):
    """Another name of a dataset, as a ``symlinks`` facet says it."""

    dataset: DatasetName
    other: DatasetName


def load_namespaces(connection: Connection) -> dict[str, int]:
    """When each namespace was first spoken of."""
    return dict(connection.rows("SELECT name, created FROM namespace"))


def save_namespaces(connection: Connection, first_seen: dict[str, int]) -> None:
    """Keep when each namespace was first spoken of."""
    connection.many(_SAVE_NAMESPACE, list(first_seen.items()))


def save_sources(connection: Connection, said: Iterable[SourceSaid]) -> None:
    """Merge what events said about sources into what is there."""
    rows = [
        (
            one.name,
            one.first_key,
            time_of_key(one.first_key),
            one.key,
            time_of_key(one.key),
            one.url,
        )
        for one in said
    ]
    connection.many(_SAVE_SOURCE, rows)


def save_symlinks(connection: Connection, first_said: dict[Symlink, str]) -> None:
    """Keep every symlink with when it was first said."""
    rows = [
        (
            _digest(link), link.dataset.namespace, link.dataset.name, link.other.namespace,
            link.other.name, first,
        )
        for link, first in first_said.items()
    ]  # fmt: skip
    connection.many(_SAVE_SYMLINK, rows)


def _digest(link: Symlink) -> bytes:
    one, other = link
    return digest_of(one.namespace, one.name, other.namespace, other.name)


def save_touched(connection: Connection, touched: Iterable[tuple[int, int, bool]]) -> None:
    """Remember that a job touched a dataset at some time: (dataset, job, whether it wrote)."""
    rows = sorted((dataset, job, int(written)) for dataset, job, written in touched)
    connection.many(_SAVE_TOUCHED, rows)


def known_symlinks(connection: Connection, links: Iterable[Symlink]) -> dict[Symlink, str]:
    """Those of some symlinks that are known, with when each was first said."""
    by_digest = {_digest(link): link for link in links}
    rows = connection.among("SELECT digest, first_key FROM symlink WHERE digest {among}", by_digest)
    return {by_digest[bytes(digest)]: first for digest, first in rows}


def every_symlink(connection: Connection) -> list[Symlink]:
    """Every symlink that was said."""
    rows = connection.rows("SELECT namespace, name, other_namespace, other_name FROM symlink")
    return [Symlink(DatasetName(*row[:2]), DatasetName(*row[2:])) for row in rows]
