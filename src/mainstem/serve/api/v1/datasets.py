"""/namespaces/{namespace}/datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from fastapi import Response
from pydantic import BaseModel, ConfigDict

from mainstem.errors import NotFound
from mainstem.names.dataset import DatasetName
from mainstem.said.datasets import lifecycle_state
from mainstem.said.schema import shown_fields
from mainstem.said.times import iso
from mainstem.said.versions import uuid_of
from mainstem.serve.api.parameters import (
    Held,
    JsonBytes,
    Limit,
    Named,
    Offset,
    dataset_leader,
    namespace_hidden,
    namespace_is_known,
)
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.ingest.declaring import declare_dataset
from mainstem.serve.store import decisions
from mainstem.serve.store.catalog import digest_of
from mainstem.serve.store.reading import run_rows, versions_of_dataset

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.sql.connection import Connection, Row

router = router_of("/api/v1", "datasets")
_ONE = "/namespaces/{namespace:name}/datasets/{dataset:name}"


class FieldSaid(BaseModel):
    """A field of a PUT dataset."""

    name: str
    type: str | None = None
    description: str | None = None
    tags: list[str] = []


class DatasetSaid(BaseModel):
    """What a PUT of a dataset says."""

    model_config = ConfigDict(extra="allow")
    type: str = "DB_TABLE"
    physicalName: str | None = None  # noqa: N815 - Marquez's word
    sourceName: str | None = None  # noqa: N815 - Marquez's word
    description: str | None = None
    tags: list[str] = []
    fields: list[FieldSaid] = []


@router.get("/namespaces/{namespace:name}/datasets")
def list_datasets(
    backend: Held, namespace: Named, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """The datasets of a namespace, by name."""
    if not namespace_is_known(backend, namespace):
        raise NotFound("Namespace", namespace)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        leaders = _leaders(backend, resources, namespace)
        body = b",".join(resources.datasets(leaders[offset : offset + limit]))
    return JsonBytes(b'{"datasets":[%b],"totalCount":%d}' % (body, len(leaders)))


def _leaders(backend: Backend, resources: Resources, namespace: str) -> list[int]:
    if namespace_hidden(backend, namespace):
        return []
    named: dict[int, str] = {}
    leader_of = resources.identities.leader
    for name, number in list(backend.catalog.datasets.items()):
        leader = leader_of(number)
        shown = resources.name_of(leader) if leader != number else name
        if shown.namespace == namespace:
            named[leader] = shown.name
    if backend.hidden:
        named = {one: name for one, name in named.items() if not backend.is_hidden((False, one))}
    return sorted(named, key=named.__getitem__)


@router.get(_ONE)
def get_dataset(backend: Held, namespace: Named, dataset: Named) -> Response:
    """One dataset, by any of its names."""
    if not namespace_is_known(backend, namespace) and not _is_known(backend, namespace, dataset):
        raise NotFound("Namespace", namespace)
    return JsonBytes(_rendered(backend, dataset_leader(backend, namespace, dataset)))


def _is_known(backend: Backend, namespace: str, dataset: str) -> bool:
    name = DatasetName(namespace, dataset)
    return backend.identities.find(name, backend.catalog.datasets) is not None


def _rendered(backend: Backend, leader: int) -> bytes:
    with backend.read() as connection:
        return Resources(backend, connection).datasets([leader])[0]


@router.put(_ONE)
def put_dataset(backend: Held, namespace: Named, dataset: Named, said: DatasetSaid) -> Response:
    """Describe a dataset."""
    event = declare_dataset(namespace, dataset, said.model_dump(exclude_none=True), backend.now())
    backend.writer.send([event]).result()
    for tag in said.tags:
        _tag(backend, DatasetName(namespace, dataset), "", tag)
    for field in said.fields:
        for tag in field.tags:
            _tag(backend, DatasetName(namespace, dataset), field.name, tag)
    return get_dataset(backend, namespace, dataset)


@router.delete(_ONE)
def delete_dataset(backend: Held, namespace: Named, dataset: Named) -> Response:
    """Hide a dataset until an event speaks of it again."""
    leader = dataset_leader(backend, namespace, dataset)
    before = JsonBytes(_rendered(backend, leader))
    name = backend.catalog.dataset(leader)
    digest = digest_of(name.namespace, name.name)
    backend.decide(lambda one: decisions.hide(one, "dataset", digest))
    return before


@router.get(_ONE + "/versions")
def list_versions(
    backend: Held, namespace: Named, dataset: Named, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """The schema versions of a dataset, the newest first."""
    leader = dataset_leader(backend, namespace, dataset)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        rows = versions_of_dataset(connection, resources.identities.members(leader))
        page = rows[offset : offset + limit]
        body = b",".join(_versions(connection, resources, leader, page))
    return JsonBytes(b'{"versions":[%b],"totalCount":%d}' % (body, len(rows)))


@router.get(_ONE + "/versions/{version:name}")
def get_version(backend: Held, namespace: Named, dataset: Named, version: Named) -> Response:
    """One schema version of a dataset."""
    leader = dataset_leader(backend, namespace, dataset)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        rows = versions_of_dataset(connection, resources.identities.members(leader))
        found = [row for row in rows if row[0] == version]
        if not found:
            raise NotFound("Dataset version", version)
        return JsonBytes(_versions(connection, resources, leader, found)[0])


@router.post(_ONE + "/tags/{tag:name}")
def tag_dataset(backend: Held, namespace: Named, dataset: Named, tag: Named) -> Response:
    """Tag a dataset."""
    return _tagged(backend, namespace, dataset, "", tag)


@router.delete(_ONE + "/tags/{tag:name}")
def untag_dataset(backend: Held, namespace: Named, dataset: Named, tag: Named) -> Response:
    """Take a tag from a dataset."""
    return _untagged(backend, namespace, dataset, "", tag)


@router.post(_ONE + "/fields/{field:name}/tags/{tag:name}")
def tag_field(
    backend: Held, namespace: Named, dataset: Named, field: Named, tag: Named
) -> Response:
    """Tag a field that the dataset has now."""
    leader = dataset_leader(backend, namespace, dataset)
    with backend.read() as connection:
        row = Resources(backend, connection).rows_of([leader])[leader]
    if field not in [one["name"] for one in orjson.loads(row.fields)]:
        raise NotFound("Field", field)
    return _tagged(backend, namespace, dataset, field, tag)


@router.delete(_ONE + "/fields/{field:name}/tags/{tag:name}")
def untag_field(
    backend: Held, namespace: Named, dataset: Named, field: Named, tag: Named
) -> Response:
    """Take a tag from a field."""
    return _untagged(backend, namespace, dataset, field, tag)


def _tagged(backend: Backend, namespace: str, dataset: str, field: str, tag: str) -> Response:
    leader = dataset_leader(backend, namespace, dataset)
    _tag(backend, backend.catalog.dataset(leader), field, tag)
    return JsonBytes(_rendered(backend, leader))


def _tag(backend: Backend, name: DatasetName, field: str, tag: str) -> None:
    digest = digest_of(name.namespace, name.name)

    def act(connection: Connection) -> None:
        decisions.put_tag(connection, tag, None)
        decisions.put_tagging(connection, "dataset", digest, field, tag)

    backend.decide(act)


def _untagged(backend: Backend, namespace: str, dataset: str, field: str, tag: str) -> Response:
    leader = dataset_leader(backend, namespace, dataset)

    def act(connection: Connection) -> None:
        for member in backend.identities.members(leader):
            name = backend.catalog.dataset(member)
            digest = digest_of(name.namespace, name.name)
            decisions.drop_tagging(connection, "dataset", digest, field, tag)

    backend.decide(act)
    return JsonBytes(_rendered(backend, leader))


def _versions(
    connection: Connection, resources: Resources, leader: int, rows: list[Row]
) -> list[bytes]:
    current = orjson.loads(resources.datasets([leader])[0])
    runs = run_rows(connection, {row[2] for row in rows if row[2] is not None})
    rendered: list[bytes] = []
    for version, created, run_id, facets, producer, _ in rows:
        said: dict[str, Any] = orjson.loads(facets)
        run = runs.get(run_id)
        shown = {
            **{word: current[word] for word in _SHARED},
            "createdAt": iso(created),
            "version": version,
            "fields": shown_fields(said),
            "lifecycleState": lifecycle_state(said),
            "currentSchemaVersion": uuid_of("schema", version),
            "producer": producer,
            "facets": said,
        }
        made_by = b"null" if run is None else resources.run(run)
        rendered.append(orjson.dumps(shown)[:-1] + b',"createdByRun":%b}' % made_by)
    return rendered


_SHARED = (
    "id", "type", "kind", "name", "physicalName", "namespace", "sourceName", "tags", "description",
)  # fmt: skip
