"""Which runs made what a run read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.said.times import iso
from mainstem.serve.store.reading import RUN, RunRow

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.sql.connection import Connection

MOST_RUNS = 1000
_WRITERS = "SELECT job_id FROM touched WHERE dataset_id {among} AND written = 1"
_BEFORE = f"""SELECT {RUN} FROM run
WHERE job_id = ? AND declared = 0 AND naming = 1 AND created <= ? AND id <> ?
ORDER BY created DESC, id DESC LIMIT 20"""  # noqa: S608 - our own columns


def runs_upstream(
    backend: Backend, connection: Connection, start: RunRow, depth: int
) -> list[dict[str, Any]]:
    """A run and those behind it, nearest first, at most ``depth`` runs away."""
    level, seen, told = [start], {start.id}, list[dict[str, Any]]()
    for hop in range(depth + 1):
        following: list[RunRow] = []
        for row in level:
            inputs, makers = _inputs(backend, connection, row)
            told.append(_told(backend, row, inputs))
            fresh = [one for one in makers if one.id not in seen]
            seen.update(one.id for one in fresh)
            following += fresh
        level = following if hop < depth and len(seen) < MOST_RUNS else []
        if not level:
            break
    return told


def _inputs(
    backend: Backend, connection: Connection, row: RunRow
) -> tuple[list[dict[str, Any]], list[RunRow]]:
    inputs: list[dict[str, Any]] = []
    makers: list[RunRow] = []
    for one in orjson.loads(row.inputs):
        said = one["datasetVersionId"]
        maker = _maker(backend, connection, DatasetName(said["namespace"], said["name"]), row)
        inputs.append({**said, "producedByRunId": None if maker is None else maker.id})
        if maker is not None:
            makers.append(maker)
    return inputs, makers


def _maker(
    backend: Backend, connection: Connection, name: DatasetName, reader: RunRow
) -> RunRow | None:
    """The last run that began to write a dataset before a reader ended."""
    leader = backend.identities.find(name, backend.catalog.datasets)
    if leader is None:
        return None
    until = reader.ended if reader.ended is not None else reader.updated
    members = backend.identities.members(leader)
    writers = {job for (job,) in connection.among(_WRITERS, members)}
    # Job by job, so that an index answers: a job may have had a million runs.
    rows = [row for job in writers for row in connection.rows(_BEFORE, [job, until, reader.id])]
    latest_first = sorted(
        map(RunRow._make, rows), key=lambda run: (run.created, run.id), reverse=True
    )
    return next((run for run in latest_first if _writes(backend, run, leader)), None)


def _writes(backend: Backend, run: RunRow, leader: int) -> bool:
    said = [one["datasetVersionId"] for one in orjson.loads(run.outputs)]
    names = [DatasetName(one["namespace"], one["name"]) for one in said]
    return any(backend.identities.find(one, backend.catalog.datasets) == leader for one in names)


def _told(backend: Backend, row: RunRow, inputs: list[dict[str, Any]]) -> dict[str, Any]:
    job = backend.catalog.job(row.job_id)
    run = {
        "id": row.id,
        "start": None if row.started is None else iso(row.started),
        "end": None if row.ended is None else iso(row.ended),
        "status": row.state,
    }
    return {"job": {**job._asdict(), "version": row.version}, "run": run, "inputs": inputs}
