"""The same events through the backend's API and through the pipeline give the same graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest
from pyspark.sql import DataFrame, SparkSession

from mainstem.names.identity import NO_ALIASES
from mainstem.names.node_id import NodeId, NodeKind
from mainstem.pipeline import tables
from mainstem.pipeline.jobs.build import build
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget
from pipeline.contents import contents
from pipeline.logs import disordered, put
from serve_running import running

pytestmark = pytest.mark.spark
RUN = "01a1e0c3-0000-7000-8000-00000000000"
CONNECTOR = {
    "edges": [
        {"input": {"namespace": "pg://b", "name": "t"},
         "output": {"namespace": "kafka://b:9092", "name": "t"}, "evidence": "config"},
    ],
    "configVersion": "abc",
}  # fmt: skip


def awkward() -> list[str]:
    """What the recorded events do not show: pairs, snapshots, aliases, precedence, declarations."""
    both = {"inputs": [{"namespace": "pg://b", "name": one} for one in "tu"],
            "outputs": [{"namespace": "kafka://b:9092", "name": one} for one in "tu"]}  # fmt: skip
    entries = [
        {"namespace": "kafka://b:9092", "name": one, "type": "DATASET",
         "inputs": [{"namespace": "pg://b", "name": one, "type": "DATASET"}]}
        for one in "tu"
    ]  # fmt: skip
    pattern = {"eventTrigger": "PERIODIC", "eventContentMode": "COMPLETE_SNAPSHOT"}
    snapshot = {"jobType": {"processingType": "STREAMING", "integration": "KAFKA_CONNECT",
                            "emissionPattern": {**pattern, "windowDuration": 300}}}  # fmt: skip

    def told(minute: int, kind: str | None, run: int, job: str, **said: Any) -> str:
        facets = said.pop("run_facets", {})
        event = {
            "eventTime": f"2026-02-01T00:{minute:02}:00Z", "producer": said.pop("by", "https://a"),
            "eventType": kind, "run": {"runId": f"{RUN}{run}", "facets": facets},
            "job": {"namespace": "j", "name": job, "facets": said.pop("job_facets", {})}, **said,
        }  # fmt: skip
        return orjson.dumps(event).decode()

    def one(name: str, **facets: Any) -> dict[str, Any]:
        return {"namespace": "s3a://b", "name": name, "facets": facets}

    fields = {"fields": [{"name": "id", "type": "int"}]}
    return [
        told(0, "START", 1, "paired", job_facets={"lineage": {"entries": entries}},
             run_facets={"mainstem_connector": CONNECTOR}, **both),
        told(1, "START", 2, "live", job_facets=snapshot, inputs=both["inputs"], outputs=[]),
        told(2, "RUNNING", 2, "live", job_facets=snapshot, inputs=both["inputs"][:1]),
        told(3, "START", 3, "moves", inputs=[one("x", schema=fields)]),
        told(4, "COMPLETE", 3, "moves", outputs=[one("y", schema={**fields, "registryId": 7})]),
        told(5, "START", 4, "moves", inputs=[one("z")],
             outputs=[one("y", schema={"fields": [{"name": "other", "type": "int"}]})]),
        told(6, "FAIL", 4, "moves", run_facets={"errorMessage": {"message": "no"}}),
        orjson.dumps({"eventTime": "2026-02-01T00:07:00Z", "producer": "https://a",
                      "job": {"namespace": "j", "name": "declared"},
                      "inputs": [one("y")], "outputs": [{"namespace": "s3://b", "name": "w"}]}
                     ).decode(),
        orjson.dumps({"eventTime": "2026-02-01T00:08:00Z", "producer": "https://a",
                      "dataset": {"namespace": "s3://b", "name": "x",
                                  "facets": {"schema": fields}}}).decode(),
    ]  # fmt: skip


def rows(frame: DataFrame) -> set[tuple[Any, ...]]:
    return {tuple(row) for row in frame.collect()}


def page(api: httpx2.Client, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for space in api.get("/api/v1/namespaces").json()["namespaces"]:
        inside = space["name"].replace("%", "%25").replace("/", "%2F").replace(":", "%3A")
        found += api.get(f"/api/v1/namespaces/{inside}/{kind}?limit=1000").json()[kind]
    return found


def test_tables_and_api_tell_the_same(spark: SparkSession, tmp_path: Path, place: str) -> None:
    lines = [*disordered(), *awkward()]
    put(lines, tmp_path / "events", 0, 2)
    target = ParquetTarget(spark, place)
    built = build(spark, FileSource(spark, str(tmp_path / "events")), target, aliases=NO_ALIASES)
    assert built.refused == 2
    with (
        running(str(tmp_path / "serve.db")) as backend,
        httpx2.Client(base_url=backend.url, timeout=60) as api,
    ):
        api.post(
            "/api/v1/lineage/batch",
            content="\n".join(lines).encode(),
            headers={"Content-Type": "application/x-ndjson"},
        )
        compare_jobs(api, target)
        compare_datasets(api, target)
        compare_columns(api, target)
        compare_edges(api, target)


def compare_jobs(api: httpx2.Client, target: ParquetTarget) -> None:
    jobs = page(api, "jobs")
    found = {
        (one["namespace"], one["name"], (one["latestRun"] or {}).get("id"),
         (one["latestRun"] or {}).get("state"))
        for one in jobs
    }  # fmt: skip
    job = target.read(tables.JOB)
    assert rows(job.select("job_namespace", "job_name", "latest_run_id", "latest_state")) == found
    runs: set[tuple[str, str]] = set()
    versions: set[tuple[str, str, str]] = set()
    for one in jobs:
        inside = one["namespace"].replace("/", "%2F").replace(":", "%3A")
        name = one["name"].replace("/", "%2F")
        told = api.get(f"/api/v1/namespaces/{inside}/jobs/{name}/runs?limit=1000").json()["runs"]
        runs |= {(run["id"], run["state"]) for run in told}
        versions |= {
            (one["namespace"], one["name"], run["jobVersion"]["version"])
            for run in told
            if run.get("jobVersion")
        }
    assert rows(target.read(tables.RUN).where("not declared").select("run_id", "state")) == runs
    mine = rows(target.read(tables.JOB_VERSION).select("job_namespace", "job_name", "version"))
    assert versions <= mine
    assert {one for one in mine if one[1] != "declared"} == versions


def compare_datasets(api: httpx2.Client, target: ParquetTarget) -> None:
    found = {
        (one["namespace"], one["name"], one["currentVersion"],
         orjson.dumps(one["fields"]).decode())
        for one in page(api, "datasets")
    }  # fmt: skip
    mine = rows(target.read(tables.DATASET).select("namespace", "name", "version", "fields"))
    assert mine == found


def compare_columns(api: httpx2.Client, target: ParquetTarget) -> None:
    expected: set[tuple[str, str]] = set()
    for row in target.read(tables.DATASET).collect():
        node = str(NodeId(NodeKind.DATASET, (row.namespace, row.name)))
        asked = {"nodeId": node, "node": node, "direction": "upstream", "depth": 1}
        told = api.get("/api/v2/columns", params=asked).json()
        expected |= {(one["source"], one["target"]) for one in told["edges"]}
    found = {
        tuple(
            str(NodeId(NodeKind.DATASET_FIELD, (row[f"{side}_namespace"], row[f"{side}_name"],
                                                row[f"{side}_field"])))
            for side in ("source", "target")
        )
        for row in target.read(tables.COLUMN_EDGE).collect()
    }  # fmt: skip
    assert found == expected
    assert len(found) > 10


def compare_edges(api: httpx2.Client, target: ParquetTarget) -> None:
    standing = target.read(tables.EDGE).where("valid_to is null")
    found: set[tuple[str, ...]] = set()
    for row in standing.collect():
        job = str(NodeId(NodeKind.JOB, (row.job_namespace, row.job_name)))
        dataset = str(NodeId(NodeKind.DATASET, (row.namespace, row.name)))
        ends = (job, dataset) if row.written else (dataset, job)
        found.add((*ends, row.evidence, row.confidence))
    expected: set[tuple[str, ...]] = set()
    for row in target.read(tables.JOB).collect():
        node = str(NodeId(NodeKind.JOB, (row.job_namespace, row.job_name)))
        asked = {"nodeId": node, "node": node, "depth": 1}
        told = api.get("/api/v2/lineage", params=asked).json()
        expected |= {
            (one["source"], one["target"], one["evidence"], one["confidence"])
            for one in told["edges"]
            if node in (one["source"], one["target"])
        }
    assert found == expected
    assert {"config", "reported", "unknown"} <= {one[2] for one in found}


def test_any_order_and_piece_by_piece(spark: SparkSession, tmp_path: Path, place: str) -> None:
    lines = [*disordered(), *awkward()]
    events = tmp_path / "events"
    put(lines[::-1], tmp_path / "whole", 0, 1)
    whole = ParquetTarget(spark, f"{place}/whole")
    build(spark, FileSource(spark, str(tmp_path / "whole")), whole, aliases=NO_ALIASES)
    pieces = IcebergTarget(spark, "mainstem.pieces", f"{place}/pieces")
    put(lines[: len(lines) * 2 // 3], events, 0, 2)
    first = build(spark, FileSource(spark, str(events)), pieces, aliases=NO_ALIASES)
    put(lines[len(lines) * 2 // 3 :] + lines[:5], events, 2, 1)
    second = build(spark, FileSource(spark, str(events)), pieces, aliases=NO_ALIASES)
    assert 0 < second.events < first.events
    mine, same = contents(pieces), contents(whole)
    for name, told in same.items():
        assert mine[name] == told, name
    assert build(spark, FileSource(spark, str(events)), pieces, aliases=NO_ALIASES).read == 0
