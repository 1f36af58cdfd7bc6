"""Runs: of a job, by id, their facets, and Marquez's way to tell a run's course."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import orjson
from fastapi import Query, Request, Response
from pydantic import BaseModel

from mainstem.errors import EventRefused, NotFound
from mainstem.said.versions import run_uuid, uuid_of
from mainstem.serve.api.parameters import (
    Depth,
    Held,
    JsonBytes,
    Limit,
    Named,
    Offset,
    instant_of,
    job_number,
    json_of,
)
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.run_lineage import runs_upstream
from mainstem.serve.ingest.declaring import declare_run, declare_transition
from mainstem.serve.store.reading import count_runs, run_rows, runs_of_job

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.store.reading import RunRow

router = router_of("/api/v1", "runs")
_OF_JOB = "/namespaces/{namespace:name}/jobs/{job:name}/runs"
_TRANSITIONS = {"start": "START", "complete": "COMPLETE", "fail": "FAIL", "abort": "ABORT"}


class RunSaid(BaseModel):
    """What a POST of a run says."""

    id: UUID | None = None
    nominalStartTime: str | None = None  # noqa: N815 - Marquez's word
    nominalEndTime: str | None = None  # noqa: N815 - Marquez's word
    args: dict[str, str] = {}


@router.get(_OF_JOB)
def list_runs(
    backend: Held, namespace: Named, job: Named, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """The runs of a job, the latest first."""
    number = job_number(backend, namespace, job)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        runs = [resources.run(row) for row in runs_of_job(connection, number, limit, offset)]
        total = count_runs(connection, number)
    return JsonBytes(b'{"runs":[%b],"totalCount":%d}' % (b",".join(runs), total))


@router.post(_OF_JOB, status_code=201)
def create_run(
    backend: Held, request: Request, namespace: Named, job: Named, said: RunSaid
) -> Response:
    """Announce a run of a job, with the job's own inputs and outputs."""
    number = job_number(backend, namespace, job)
    now = backend.now()
    run_id = str(said.id) if said.id else uuid_of("run", namespace, job, now)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        inputs = resources.names(resources.view.inputs(number))
        outputs = resources.names(resources.view.outputs(number))
    name = backend.catalog.job(number)
    event = declare_run(name, run_id, said.model_dump(exclude_none=True), (inputs, outputs), now)
    backend.writer.send([event]).result()
    place = f"{str(request.base_url).rstrip('/')}/api/v1/jobs/runs/{run_id}"
    return JsonBytes(_rendered(backend, run_id), 201, {"Location": place})


@router.get("/jobs/runs/{run_id:name}")
def get_run(backend: Held, run_id: Named) -> Response:
    """One run."""
    return JsonBytes(_rendered(backend, run_id))


def _row(backend: Backend, run_id: str) -> RunRow:
    with backend.read() as connection:
        wanted = run_uuid(run_id)
        row = run_rows(connection, [wanted]).get(wanted)
    if row is None:
        raise NotFound("Run", run_id)
    return row


def _rendered(backend: Backend, run_id: str) -> bytes:
    row = _row(backend, run_id)
    with backend.read() as connection:
        return Resources(backend, connection).run(row)


@router.post("/jobs/runs/{run_id:name}/{transition:name}")
def move_run(backend: Held, run_id: Named, transition: Named, at: str | None = None) -> Response:
    """Tell that a run started, completed, failed or was aborted."""
    if transition not in _TRANSITIONS:
        raise NotFound("Transition", transition)
    row = _row(backend, run_id)
    time = instant_of(at, backend.now())
    job = backend.catalog.job(row.job_id)
    event = declare_transition(job, row.id, _TRANSITIONS[transition], time)
    backend.writer.send([event]).result()
    return JsonBytes(_rendered(backend, row.id))


@router.get("/jobs/runs/{run_id:name}/facets")
def get_facets(
    backend: Held, run_id: Named, which: Annotated[str, Query(alias="type")]
) -> Response:
    """The facets of a run, or of its job as that run told them."""
    if which.lower() not in ("run", "job"):
        raise EventRefused(400, "query param type must be one of [run, job]")
    row = _row(backend, run_id)
    facets = bytes(row.facets)
    if which.lower() == "job":
        with backend.read() as connection:
            found = connection.rows("SELECT job_facets FROM run WHERE id = ?", [row.id])
            facets = bytes(found[0][0])
    return JsonBytes(b'{"runId":%b,"facets":%b}' % (orjson.dumps(row.id), facets))


@router.get("/runlineage/upstream")
def get_run_lineage(
    backend: Held, run_id: Annotated[str, Query(alias="runId")], depth: Depth = 20
) -> Response:
    """The runs that made what a run read, and what they read, and so on."""
    row = _row(backend, run_id)
    with backend.read() as connection:
        found: list[dict[str, Any]] = runs_upstream(backend, connection, row, max(depth, 0))
    return json_of({"runs": found})
