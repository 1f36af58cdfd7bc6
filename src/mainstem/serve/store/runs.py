"""Runs, as rows and as the fold that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.said.jobs import config_version
from mainstem.said.json_values import Json, as_object, as_text
from mainstem.said.registers import Facets
from mainstem.said.versions import job_version
from mainstem.serve.model.run import Run, Touch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.serve.store.catalog import Catalog
    from mainstem.sql.connection import Connection, Row

_FOLD = "id, job_id, declared, created, updated, started, ended, facets, job_facets, fold"
_SAVE = """INSERT INTO run (id, job_id, declared, naming, created, updated, started, ended, state,
  overdue_after, version, head, inputs, outputs, facets, job_facets, fold)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT (id) DO UPDATE SET job_id = excluded.job_id, naming = excluded.naming,
  created = excluded.created,
  updated = excluded.updated, started = excluded.started, ended = excluded.ended,
  state = excluded.state, overdue_after = excluded.overdue_after,
  version = excluded.version, head = excluded.head,
  inputs = excluded.inputs,
  outputs = excluded.outputs, facets = excluded.facets, job_facets = excluded.job_facets,
  fold = excluded.fold"""


def load_runs(connection: Connection, run_ids: Iterable[str]) -> dict[str, Run]:
    """The runs that are there, by id."""
    rows = connection.among(f"SELECT {_FOLD} FROM run WHERE id {{among}}", run_ids)  # noqa: S608
    return {row[0]: _run(row) for row in rows}


def save_runs(connection: Connection, runs: Iterable[Run], catalog: Catalog) -> None:
    """Write runs as they now stand."""
    connection.many(_SAVE, [_row(run, catalog) for run in runs])


def latest_run(connection: Connection, job_id: int, *, naming: bool) -> tuple[str | None, int]:
    """The id and first event time of a job's latest run; of one that named datasets if asked."""
    which = "naming = 1" if naming else "declared = 0"
    rows = connection.rows(
        f"SELECT id, created FROM run WHERE job_id = ? AND {which} "  # noqa: S608 - two words
        "ORDER BY created DESC, id DESC LIMIT 1",
        [job_id],
    )
    return rows[0] if rows else (None, 0)


def _run(row: Row) -> Run:
    fold: dict[str, Any] = orjson.loads(row[9])
    return Run(
        id=row[0],
        job_id=row[1],
        job_key=fold["job_key"],
        declared=bool(row[2]),
        created=row[3],
        updated=row[4],
        started=fold["started"],
        running=fold["running"],
        end_key=fold["end"],
        end_type=fold["ending"],
        ended=row[6],
        typed=fold["typed"],
        facets=Facets(bytes(row[7]), fold["keys"]),
        job_facets=Facets(bytes(row[8]), fold["job_keys"]),
        touches={
            (number, written): Touch(
                first, last, version_key, version, Facets(io.encode(), keys), *columns
            )
            for number, written, first, last, version_key, version, io, keys, *columns in fold[
                "touches"
            ]
        },
        pairs={(source, output): key for source, output, key in fold["pairs"]},
        explicit=fold["explicit"],
        named=fold["named"],
    )


def _fold(run: Run) -> bytes:
    return orjson.dumps(
        {
            "job_key": run.job_key,
            "started": run.started,
            "running": run.running,
            "end": run.end_key,
            "ending": run.end_type,
            "typed": run.typed,
            "keys": run.facets.keys,
            "job_keys": run.job_facets.keys,
            "touches": [
                [
                    number, written, touch.first, touch.last, touch.version_key, touch.version,
                    touch.facets.to_bytes().decode(), touch.facets.keys, touch.columns_told,
                    touch.columns_key, touch.columns,
                ]
                for (number, written), touch in sorted(run.touches.items())
            ],
            "pairs": sorted([*pair, key] for pair, key in run.pairs.items()),
            "explicit": run.explicit,
            "named": run.named,
        },
        option=orjson.OPT_SORT_KEYS,
    )  # fmt: skip


def _row(run: Run, catalog: Catalog) -> tuple[Any, ...]:
    sides = run.sides
    reads = [(catalog.dataset(number), run.touches[number, False]) for number, w in sides if not w]
    writes = [(catalog.dataset(number), run.touches[number, True]) for number, w in sides if w]
    job = catalog.job(run.job_id)
    config = config_version(run.facets.values, run.job_facets.values)
    version = job_version(
        job.namespace,
        job.name,
        [(name.namespace, name.name) for name, _ in reads],
        [(name.namespace, name.name) for name, _ in writes],
        config,
    )
    return (
        run.id, run.job_id, int(run.declared), int(run.named is not None), run.created,
        run.updated, run.started_at, run.ended, run.state, run.overdue_after,
        version, _head(run.facets.values), _versions(reads),
        _versions(writes),
        run.facets.to_bytes(), run.job_facets.to_bytes(), _fold(run),
    )  # fmt: skip


def _versions(touched: list[tuple[DatasetName, Touch]]) -> bytes:
    """Marquez's dataset versions of a run, ready to be served."""
    parts = [
        b'{"datasetVersionId":%b,"facets":%b}'
        % (
            orjson.dumps(
                {"namespace": name.namespace, "name": name.name, "version": touch.version}
            ),
            touch.facets.to_bytes(),
        )
        for name, touch in touched
    ]
    return b"[" + b",".join(parts) + b"]"


def _head(facets: Json) -> bytes:
    """Marquez's nominal times and arguments of a run, ready to be put into its JSON."""
    nominal, parent = as_object(facets.get("nominalTime")), as_object(facets.get("parent"))
    starts, ends = nominal.get("nominalStartTime"), nominal.get("nominalEndTime")
    given = as_object(facets.get("mainstem_arguments"))
    job = as_object(parent.get("job"))
    said: Json = {
        "nominal_start_time": starts,
        "nominal_end_time": ends,
        "run_id": as_object(parent.get("run")).get("runId"),
        "name": job.get("name"),
        "namespace": job.get("namespace"),
        **{name: value for name, value in given.items() if not name.startswith("_")},
    }
    return b'"nominalStartTime":%b,"nominalEndTime":%b,"args":%b' % (
        orjson.dumps(as_text(starts)),
        orjson.dumps(as_text(ends)),
        orjson.dumps({name: text for name, text in said.items() if isinstance(text, str)}),
    )
