"""/jobs and /namespaces/{namespace}/jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import orjson
from fastapi import Query, Response
from pydantic import BaseModel, ConfigDict

from mainstem.errors import EventRefused, NotFound
from mainstem.said.jobs import location
from mainstem.said.times import iso
from mainstem.serve.api.parameters import (
    Held,
    JsonBytes,
    Limit,
    Named,
    Offset,
    job_number,
)
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.ingest.declaring import declare_job
from mainstem.serve.store import decisions
from mainstem.serve.store.catalog import digest_of
from mainstem.serve.store.reading import jobs_by_update, latest_of_version, versions_of_job

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.sql.connection import Connection, Row

router = router_of("/api/v1", "jobs")
_ONE = "/namespaces/{namespace:name}/jobs/{job:name}"
STATES = ("NEW", "RUNNING", "COMPLETED", "ABORTED", "FAILED", "OTHER")
States = Annotated[list[str] | None, Query(alias="lastRunStates")]


class DatasetId(BaseModel):
    """A dataset's name."""

    namespace: str
    name: str


class JobSaid(BaseModel):
    """What a PUT of a job says."""

    model_config = ConfigDict(extra="allow")
    type: str = "BATCH"
    inputs: list[DatasetId] = []
    outputs: list[DatasetId] = []
    location: str | None = None
    description: str | None = None


@router.get("/jobs")
def list_all_jobs(
    backend: Held,
    states: States = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """Every job, the last updated first."""
    return _page(backend, None, states or [], limit, offset)


@router.get("/namespaces/{namespace:name}/jobs")
def list_jobs(
    backend: Held,
    namespace: Named,
    states: States = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """The jobs of a namespace, the last updated first."""
    return _page(backend, namespace, states or [], limit, offset)


def _page(
    backend: Backend, namespace: str | None, states: list[str], limit: int, offset: int
) -> Response:
    wrong = [state for state in states if state not in STATES]
    if wrong:
        allowed = f"[{', '.join(STATES)}]"
        raise EventRefused(400, f"query param lastRunStates must be one of {allowed}")
    with backend.read() as connection:
        if namespace is None and not states and not backend.hidden:
            # Without a filter the page is the first rows; only their number is needed of the rest.
            total = len(backend.catalog.jobs)
            numbers = jobs_by_update(connection, offset + limit)
        else:
            numbers = _fitting(backend, connection, namespace, states)
            total = len(numbers)
        jobs = Resources(backend, connection).jobs(numbers[offset : offset + limit])
    return JsonBytes(b'{"jobs":[%b],"totalCount":%d}' % (b",".join(jobs), total))


def _fitting(
    backend: Backend, connection: Connection, namespace: str | None, states: list[str]
) -> list[int]:
    """The jobs of a namespace whose latest run is in one of some states, the last updated first."""
    numbers = jobs_by_update(connection, None)
    if states:
        standings = backend.standings.current(connection)
        numbers = [one for one in numbers if one in standings and standings[one].state in states]
    if namespace is not None:
        named = backend.catalog.job
        numbers = [one for one in numbers if named(one).namespace == namespace]
    if not backend.hidden:
        return numbers
    return [one for one in numbers if not backend.is_hidden((True, one))]


@router.get(_ONE)
def get_job(backend: Held, namespace: Named, job: Named) -> Response:
    """One job with its latest runs."""
    return JsonBytes(_rendered(backend, job_number(backend, namespace, job)))


def _rendered(backend: Backend, number: int) -> bytes:
    with backend.read() as connection:
        return Resources(backend, connection).jobs([number])[0]


@router.put(_ONE)
def put_job(backend: Held, namespace: Named, job: Named, said: JobSaid) -> Response:
    """Describe a job, with what it reads and writes."""
    event = declare_job(namespace, job, said.model_dump(exclude_none=True), backend.now())
    backend.writer.send([event]).result()
    return get_job(backend, namespace, job)


@router.delete(_ONE)
def delete_job(backend: Held, namespace: Named, job: Named) -> Response:
    """Hide a job until an event speaks of it again."""
    before = get_job(backend, namespace, job)
    backend.decide(lambda one: decisions.hide(one, "job", digest_of(namespace, job)))
    return before


@router.post(_ONE + "/tags/{tag:name}")
def tag_job(backend: Held, namespace: Named, job: Named, tag: Named) -> Response:
    """Tag a job."""
    number = job_number(backend, namespace, job)

    def act(connection: Connection) -> None:
        decisions.put_tag(connection, tag, None)
        decisions.put_tagging(connection, "job", digest_of(namespace, job), "", tag)

    backend.decide(act)
    return JsonBytes(_rendered(backend, number))


@router.delete(_ONE + "/tags/{tag:name}")
def untag_job(backend: Held, namespace: Named, job: Named, tag: Named) -> Response:
    """Take a tag from a job."""
    number = job_number(backend, namespace, job)
    digest = digest_of(namespace, job)
    backend.decide(lambda one: decisions.drop_tagging(one, "job", digest, "", tag))
    return JsonBytes(_rendered(backend, number))


@router.get(_ONE + "/versions")
def list_versions(
    backend: Held, namespace: Named, job: Named, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """The versions of a job, the newest first."""
    number = job_number(backend, namespace, job)
    with backend.read() as connection:
        rows = versions_of_job(connection, number)
        page = [_version(backend, connection, number, row) for row in rows[offset : offset + limit]]
    return JsonBytes(b'{"versions":[%b],"totalCount":%d}' % (b",".join(page), len(rows)))


@router.get(_ONE + "/versions/{version:name}")
def get_version(backend: Held, namespace: Named, job: Named, version: Named) -> Response:
    """One version of a job."""
    number = job_number(backend, namespace, job)
    with backend.read() as connection:
        found = [row for row in versions_of_job(connection, number) if row[0] == version]
        if not found:
            raise NotFound("Job version", version)
        return JsonBytes(_version(backend, connection, number, found[0]))


def _version(backend: Backend, connection: Connection, number: int, row: Row) -> bytes:
    version, created, _ = row
    name = backend.catalog.job(number)
    run = latest_of_version(connection, number, version)
    assert run is not None  # noqa: S101 - the version comes from the job's runs
    facets = connection.rows("SELECT job_facets FROM run WHERE id = ?", [run.id])[0][0]
    shown: dict[str, Any] = {
        "id": {"namespace": name.namespace, "name": name.name, "version": version},
        "name": name.name,
        "createdAt": iso(created),
        "version": version,
        "namespace": name.namespace,
        "location": location(orjson.loads(facets)),
        "inputs": _ids(run.inputs),
        "outputs": _ids(run.outputs),
    }
    rendered = Resources(backend, connection).run(run)
    return orjson.dumps(shown)[:-1] + b',"latestRun":%b}' % rendered


def _ids(versions: bytes) -> list[dict[str, str]]:
    said = [one["datasetVersionId"] for one in orjson.loads(versions)]
    return [{"namespace": one["namespace"], "name": one["name"]} for one in said]
