"""Any order and any repetition of the same events gives the same tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.said.times import SECOND, parse_instant
from mainstem.serve.ingest.projection import ingest
from mainstem.serve.ingest.reading import read_event
from mainstem.serve.ingest.upkeep import MIGRATIONS, prune, rebuild
from mainstem.serve.store.catalog import Catalog
from mainstem.sql.connection import Connection
from mainstem.sql.migration import migrate
from mainstem.sql.opening import open_database
from serve_fixtures import columns, run_event, schema

_NAMES = st.sampled_from(["a", "b", "c"])
_HEARTBEAT = {
    "jobType": {
        "processingType": "STREAMING",
        "integration": "KAFKA_CONNECT",
        "emissionPattern": {
            "eventTrigger": "PERIODIC",
            "eventContentMode": "COMPLETE_SNAPSHOT",
            "windowDuration": 300,
        },
    }
}
_PAIRED = {
    "lineage": {
        "entries": [
            {
                "namespace": "postgres://db:5432",
                "name": "b",
                "type": "DATASET",
                "inputs": [{"namespace": "postgres://db:5432", "name": "a", "type": "DATASET"}],
            }
        ]
    }
}


@st.composite
def said_datasets(draw: st.DrawFn) -> dict[str, Any]:
    facets = draw(
        st.sampled_from(
            [
                {},
                schema("x"),
                schema("x", "y"),
                {**schema("x"), **columns(x=[("a", "x")])},
                {"symlinks": {"identifiers": [{"namespace": "hive://h:1", "name": "t"}]}},
                {"ownership": {"owners": [{"name": "me"}]}},
                {"ownership": {"_deleted": True}},
                {"dataSource": {"name": "s", "uri": "postgres://db:5432/x"}},
            ]
        )
    )
    return {"namespace": "postgres://db:5432", "name": draw(_NAMES), "facets": facets}


@st.composite
def events(draw: st.DrawFn) -> dict[str, Any]:
    event = run_event(
        draw(st.sampled_from([None, "START", "RUNNING", "OTHER", "COMPLETE", "ABORT", "FAIL"])),
        run=f"00000000-0000-4000-8000-00000000000{draw(st.integers(0, 3))}",
        job=draw(st.sampled_from(["one", "two"])),
        time=f"2026-11-15T10:00:0{draw(st.integers(0, 5))}Z",
        inputs=draw(st.lists(said_datasets(), max_size=2)),
        outputs=draw(st.lists(said_datasets(), max_size=2)),
        job_facets=draw(st.sampled_from([{}, _HEARTBEAT, _PAIRED, {"sql": {"query": "1"}}])),
        run_facets=draw(
            st.sampled_from([{}, {"parent": {"job": {"namespace": "jobs", "name": "dag"}}}])
        ),
        producer=draw(st.sampled_from(["https://p/1", "https://p/2"])),
    )
    if draw(st.integers(0, 5)) == 0:
        del event["run"]
        event.pop("eventType", None)
        event["schemaURL"] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent"
    return event


def fresh_store() -> Connection:
    database = open_database(":memory:")
    connection = database.connect()
    migrate(database, connection, MIGRATIONS)
    return connection


def store(
    connection: Connection, batches: list[list[dict[str, Any]]], *, forgetful: bool = False
) -> None:
    catalog = Catalog()
    for batch in batches:
        if forgetful:
            catalog.load(connection)
        read = [read_event(orjson.dumps(event)) for event in batch]
        with connection.transaction():
            ingest(connection, catalog, read, 0)


def tables(connection: Connection) -> dict[str, Any]:
    """Every projection, with numbers replaced by names."""
    jobs = {row[0]: row[1] for row in connection.rows("SELECT id, name FROM job")}
    datasets = {
        row[0]: f"{row[1]} {row[2]}"
        for row in connection.rows("SELECT id, namespace, name FROM dataset")
    }

    def reach(stored: bytes) -> Any:
        inputs, outputs, pairs = orjson.loads(stored)
        paired = None if pairs is None else sorted([datasets[a], datasets[b]] for a, b in pairs)
        return sorted(datasets[n] for n in inputs), sorted(datasets[n] for n in outputs), paired

    def rows(statement: str) -> list[Any]:
        return sorted(connection.rows(statement), key=repr)

    return {
        "job": sorted(
            (row[0], *row[1:5], reach(row[5]), row[6], row[7], row[8])
            for row in connection.rows(
                "SELECT name, created, updated, latest_run, current_run, reach, head, facets, fold"
                " FROM job"
            )
        ),
        "run": sorted(
            (*row[:3], jobs[row[3]], sorted(map(repr, orjson.loads(row[4]))), *row[5:])
            for row in connection.rows(
                "SELECT id, created, state, job_id, inputs, started, ended, updated, naming,"
                " overdue_after, head, facets, job_facets FROM run"
            )
        ),
        "dataset": rows(
            "SELECT namespace, name, created, updated, written, version, head, fields, facets, fold"
            " FROM dataset"
        ),
        "version": sorted(
            (datasets[row[0]], *row[1:])
            for row in connection.rows(
                "SELECT dataset_id, version, producer, first_key, writer_key, created, run_id,"
                " facets FROM dataset_version"
            )
        ),
        "columns": sorted(
            (jobs.get(row[0], ""), datasets[row[1]], row[2], row[3])
            for row in connection.rows(
                "SELECT job_id, dataset_id, key, facet FROM column_lineage"
                " NATURAL JOIN column_facet"
            )
        ),
        "namespace": rows("SELECT * FROM namespace"),
        "source": rows("SELECT * FROM source"),
        "symlink": rows("SELECT * FROM symlink"),
        "search": rows("SELECT name, more FROM search"),
    }


@settings(max_examples=40, deadline=None)
@given(st.lists(events(), min_size=1, max_size=8), st.data())
def test_order_and_repetition_do_not_matter(log: list[dict[str, Any]], data: st.DataObject) -> None:
    once = fresh_store()
    store(once, [[event] for event in log])
    shuffled = data.draw(st.permutations([*log, *data.draw(st.lists(st.sampled_from(log)))]))
    cut = data.draw(st.integers(0, len(shuffled)))
    again = fresh_store()
    batches = [shuffled[:cut], *([event] for event in shuffled[cut:])]
    store(again, batches, forgetful=data.draw(st.booleans()))
    assert tables(again) == tables(once)


@settings(max_examples=10, deadline=None)
@given(st.lists(events(), min_size=1, max_size=8))
def test_a_rebuild_gives_the_same_tables(log: list[dict[str, Any]]) -> None:
    connection = fresh_store()
    store(connection, [[event] for event in log])
    before = tables(connection)
    assert rebuild(connection, lambda _: None) == len({orjson.dumps(event) for event in log})
    assert tables(connection) == before


@settings(max_examples=40, deadline=None)
@given(st.lists(events(), min_size=1, max_size=10), st.integers(0, 6), st.integers(0, 6))
def test_what_is_pruned_is_not_missed_by_a_rebuild(
    log: list[dict[str, Any]], events_before: int, runs_before: int
) -> None:
    connection = fresh_store()
    store(connection, [[event] for event in log])
    whole = tables(connection)
    ten = parse_instant("2026-11-15T10:00:00Z")
    prune(connection, ten + events_before * SECOND, ten + runs_before * SECOND)
    pruned = tables(connection)
    assert {**pruned, "run": []} == {**whole, "run": []}
    assert all(job[3] in {run[0] for run in pruned["run"]} for job in pruned["job"] if job[3])
    rebuild(connection, lambda _: None)
    assert tables(connection) == pruned


def test_the_samples_of_real_spark_agents_fold_alike_in_any_order() -> None:
    files = sorted((Path(__file__).parents[1] / "samples").rglob("*spark4*.ndjson"))
    log = [orjson.loads(line) for file in files for line in file.read_bytes().splitlines()]
    assert len(log) > 100
    forwards, backwards = fresh_store(), fresh_store()
    store(forwards, [log])
    store(backwards, [log[::-1]])
    assert tables(forwards) == tables(backwards)
