"""/namespaces and /sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Response
from pydantic import BaseModel

from mainstem.errors import NotFound
from mainstem.said.times import iso
from mainstem.serve.api.parameters import (
    Held,
    Limit,
    Named,
    Offset,
    Words,
    json_of,
    namespace_hidden,
)
from mainstem.serve.api.routers import router_of
from mainstem.serve.store import decisions
from mainstem.serve.store.catalog import digest_of

if TYPE_CHECKING:
    from mainstem.sql.connection import Connection, Row

router = router_of("/api/v1", "namespaces")

_NAMESPACES = """SELECT name, min(created), max(updated), max(owner), max(description) FROM (
  SELECT name, created, created AS updated, NULL AS owner, NULL AS description FROM namespace
  UNION ALL SELECT name, created, updated, owner, description FROM namespace_setting
) AS told {where} GROUP BY name ORDER BY name COLLATE {binary}"""
_SOURCES = """SELECT name, min(created), max(updated), max(type), max(url), max(description) FROM (
  SELECT name, created, updated, NULL AS type, url, NULL AS description FROM source
  UNION ALL SELECT name, created, updated, type, url, description FROM source_setting
) AS told {where} GROUP BY name ORDER BY name COLLATE {binary}"""
_SYSTEMS = {"postgres": "POSTGRESQL", "postgresql": "POSTGRESQL"}


class NamespaceSaid(BaseModel):
    """What a PUT of a namespace says."""

    ownerName: Words  # noqa: N815 - Marquez's word
    description: Words | None = None


class SourceSaid(BaseModel):
    """What a PUT of a source says."""

    type: Words
    connectionUrl: Words  # noqa: N815 - Marquez's word
    description: Words | None = None


@router.get("/namespaces")
def list_namespaces(backend: Held, limit: Limit = 100, offset: Offset = 0) -> Response:
    """Every namespace, by name."""
    with backend.read() as connection:
        rows = connection.rows(
            _NAMESPACES.replace("{where}", "") + " LIMIT ? OFFSET ?", [limit, offset]
        )
    return json_of({"namespaces": [_namespace(backend, row) for row in rows]})


@router.get("/namespaces/{namespace:name}")
def get_namespace(backend: Held, namespace: Named) -> Response:
    """One namespace."""
    with backend.read() as connection:
        return json_of(_namespace(backend, _namespace_row(connection, namespace)))


@router.put("/namespaces/{namespace:name}")
def put_namespace(backend: Held, namespace: Named, said: NamespaceSaid) -> Response:
    """Make a namespace, or give it another owner or description."""
    now = backend.now()

    def act(connection: Connection) -> None:
        decisions.put_namespace(connection, namespace, said.ownerName, said.description, now)
        decisions.show_again(connection, [("namespace", digest_of(namespace))])

    backend.decide(act)
    return get_namespace(backend, namespace)


@router.delete("/namespaces/{namespace:name}")
def delete_namespace(backend: Held, namespace: Named) -> Response:
    """Hide a namespace and its jobs until an event speaks of it again."""
    before = get_namespace(backend, namespace)
    backend.decide(lambda one: decisions.hide(one, "namespace", digest_of(namespace)))
    return before


@router.get("/sources")
def list_sources(backend: Held, limit: Limit = 100, offset: Offset = 0) -> Response:
    """Every source, by name."""
    with backend.read() as connection:
        rows = connection.rows(
            _SOURCES.replace("{where}", "") + " LIMIT ? OFFSET ?", [limit, offset]
        )
    return json_of({"sources": [_source(row) for row in rows]})


@router.get("/sources/{source:name}")
def get_source(backend: Held, source: Named) -> Response:
    """One source."""
    with backend.read() as connection:
        rows = connection.rows(_SOURCES.replace("{where}", "WHERE name = ?"), [source])
    if not rows:
        raise NotFound("Source", source)
    return json_of(_source(rows[0]))


@router.put("/sources/{source:name}")
def put_source(backend: Held, source: Named, said: SourceSaid) -> Response:
    """Make a source, or describe it anew."""
    now = backend.now()
    told = (said.type, said.connectionUrl, said.description)
    backend.decide(lambda one: decisions.put_source(one, source, told, now))
    return get_source(backend, source)


def _namespace_row(connection: Connection, name: str) -> Row:
    rows = connection.rows(_NAMESPACES.replace("{where}", "WHERE name = ?"), [name])
    if not rows:
        raise NotFound("Namespace", name)
    return rows[0]


def _namespace(backend: Held, row: Row) -> dict[str, Any]:
    name, created, updated, owner, description = row
    return {
        "name": name,
        "createdAt": iso(created),
        "updatedAt": iso(updated),
        "ownerName": owner or "anonymous",
        "description": description,
        "isHidden": namespace_hidden(backend, name),
    }


def _source(row: Row) -> dict[str, Any]:
    name, created, updated, kind, url, description = row
    scheme = (url or "").removeprefix("jdbc:").partition(":")[0]
    return {
        "type": kind or _SYSTEMS.get(scheme, scheme.upper()) or "UNKNOWN",
        "name": name,
        "createdAt": iso(created),
        "updatedAt": iso(updated),
        "connectionUrl": url or "",
        "description": description,
    }
