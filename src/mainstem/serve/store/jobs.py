"""Jobs, as rows and as the fold that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.said import jobs as said
from mainstem.said.event import JobName
from mainstem.said.registers import Facets
from mainstem.serve.model.job import Job, Reach
from mainstem.serve.store.catalog import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.sql.connection import Connection, Row

_LOAD = """SELECT id, namespace, name, created, updated, latest_run, current_run, reach, facets,
  fold FROM job WHERE id {among}"""
_SAVE = """INSERT INTO job (id, digest, namespace, name, created, updated, latest_run, current_run,
  reach, head, facets, fold)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT (id) DO UPDATE SET created = excluded.created, updated = excluded.updated,
  latest_run = excluded.latest_run, current_run = excluded.current_run, reach = excluded.reach,
  head = excluded.head, facets = excluded.facets, fold = excluded.fold"""

_REPEAT = """UPDATE job SET updated = ?, latest_run = ?, current_run = ?, fold = ?
WHERE id = ?"""


def load_jobs(connection: Connection, numbers: Iterable[int]) -> dict[int, Job]:
    """The jobs that are there, by number."""
    return {row[0]: _job(row) for row in connection.among(_LOAD, numbers)}


def save_jobs(connection: Connection, jobs: Iterable[Job]) -> None:
    """Write jobs as they now stand."""
    whole: list[tuple[Any, ...]] = []
    repeated: list[tuple[Any, ...]] = []
    for job in jobs:
        if job.told_anew:
            whole.append(_row(job))
            job.told_anew = False
            job.facets.fold_up()
        else:
            runs = (job.latest_run, job.current_run)
            repeated.append((job.updated, *runs, _fold(job), job.id))
    connection.many(_SAVE, whole)
    connection.many(_REPEAT, repeated)


def every_reach(connection: Connection) -> Iterator[tuple[int, Reach]]:
    """What each job reads and writes now."""
    for number, reach in connection.rows("SELECT id, reach FROM job"):
        yield number, read_reach(bytes(reach))


def read_reach(stored: bytes) -> Reach:
    """A reach from its stored form."""
    inputs, outputs, pairs = orjson.loads(stored)
    listed = None if pairs is None else tuple((source, output) for source, output in pairs)
    return Reach(tuple(inputs), tuple(outputs), listed)


def _job(row: Row) -> Job:
    fold: dict[str, Any] = orjson.loads(row[9])
    parent = fold["parent"]
    return Job(
        id=row[0],
        name=JobName(row[1], row[2]),
        created=row[3],
        updated=row[4],
        first_key=fold["first"],
        last_key=fold["last"],
        facets=Facets(bytes(row[8]), fold["keys"]),
        parent_key=fold["parent_key"],
        parent=None if parent is None else JobName(*parent),
        latest_run=row[5],
        latest_created=fold["latest_created"],
        current_run=row[6],
        current_created=fold["current_created"],
        reach=read_reach(bytes(row[7])),
        told_anew=False,
    )


def _fold(job: Job) -> bytes:
    fold = {
        "first": job.first_key,
        "last": job.last_key,
        "keys": job.facets.keys,
        "parent": job.parent and list(job.parent),
        "parent_key": job.parent_key,
        "latest_created": job.latest_created,
        "current_created": job.current_created,
    }
    return orjson.dumps(fold, option=orjson.OPT_SORT_KEYS)


def _row(job: Job) -> tuple[Any, ...]:
    reach = job.reach
    return (
        job.id, digest_of(*job.name), job.name.namespace, job.name.name, job.created, job.updated,
        job.latest_run, job.current_run,
        orjson.dumps([reach.inputs, reach.outputs, reach.pairs]), _head(job), job.facets.to_bytes(),
        _fold(job),
    )  # fmt: skip


def _head(job: Job) -> bytes:
    """What listings show of the facets, so that they need not be read."""
    facets = job.facets.values
    parent = job.parent
    return orjson.dumps(
        [
            said.processing_type(facets), said.location(facets), said.description(facets),
            said.labels(facets), said.tags_said(facets), said.owners(facets),
            None if parent is None else list(parent),
        ]
    )  # fmt: skip
