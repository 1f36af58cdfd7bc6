"""The official clients of Marquez and of OpenLineage, unchanged, against a real ``serve``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
import requests
from marquez_client import MarquezClient
from marquez_client.errors import APIError
from marquez_client.models import DatasetId, DatasetType, JobType
from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, schema_dataset
from openlineage.client.transport.http import (
    ApiKeyTokenProvider,
    HttpCompression,
    HttpConfig,
    HttpTransport,
)

from mainstem.cli.store import opened
from mainstem.serve.store.tokens import Scope, create_token
from serve_fixtures import sqlite_url
from serve_running import Running, running

pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated as of 0.20.0")
WAREHOUSE = "postgres://db:5432"
PRODUCER = "https://example.com/test"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(sqlite_url(tmp_path_factory.mktemp("clients"))) as server:
        yield server


@pytest.fixture(scope="module")
def marquez(server: Running) -> Any:
    """Not typed: it says that its answers may be text, which they never are."""
    return MarquezClient(server.url)


@pytest.fixture(scope="module", autouse=True)
def declared(marquez: Any) -> None:
    """What the other tests of the Marquez client read back."""
    marquez.create_namespace("analytics", "team", "what analysts use")
    marquez.create_source("warehouse", "postgresql", "jdbc:postgresql://db:5432/shop")
    for name in ("public.orders", "public.totals"):
        marquez.create_dataset(
            "analytics", name, DatasetType.DB_TABLE, name, "warehouse",
            fields=[{"name": "id", "type": "INTEGER"}], tags=["PII"],
        )  # fmt: skip
    marquez.create_job(
        "analytics", "sum/up:100%", JobType.BATCH, "https://example.com/git",
        inputs=[DatasetId("analytics", "public.orders")],
        outputs=[DatasetId("analytics", "public.totals")],
    )  # fmt: skip


def test_marquez_client_reads_what_it_declared(marquez: Any) -> None:
    namespace = marquez.get_namespace("analytics")
    assert (namespace["ownerName"], namespace["description"]) == ("team", "what analysts use")
    assert "analytics" in [one["name"] for one in marquez.list_namespaces()["namespaces"]]
    assert marquez.get_source("warehouse")["connectionUrl"] == "jdbc:postgresql://db:5432/shop"
    assert "warehouse" in [one["name"] for one in marquez.list_sources()["sources"]]
    listed = marquez.list_datasets("analytics")["datasets"]
    assert [one["name"] for one in listed] == ["public.orders", "public.totals"]
    dataset = marquez.get_dataset("analytics", "public.orders")
    assert (dataset["sourceName"], dataset["tags"]) == ("warehouse", ["PII"])
    versions = marquez.list_dataset_versions("analytics", "public.orders")["versions"]
    again = marquez.get_dataset_version("analytics", "public.orders", versions[0]["version"])
    assert again["fields"][0]["name"] == "id"


def test_marquez_client_reads_a_job_with_an_awkward_name(marquez: Any) -> None:
    job = marquez.get_job("analytics", "sum/up:100%")
    assert [one["name"] for one in job["inputs"]] == ["public.orders"]
    assert [one["name"] for one in job["outputs"]] == ["public.totals"]
    assert [one["name"] for one in marquez.list_jobs("analytics")["jobs"]] == ["sum/up:100%"]


def test_marquez_client_tags(marquez: Any) -> None:
    marquez.create_tag("GOLD", "curated")
    assert {"name": "GOLD", "description": "curated"} in marquez.list_tags()["tags"]
    assert "GOLD" in marquez.tag_dataset("analytics", "public.totals", "GOLD")["tags"]
    tagged = marquez.tag_dataset_field("analytics", "public.totals", "id", "SENSITIVE")
    assert tagged["fields"][0]["tags"] == ["SENSITIVE"]


@pytest.mark.parametrize(
    ("word", "state"), [("completed", "COMPLETED"), ("failed", "FAILED"), ("aborted", "ABORTED")]
)
def test_marquez_client_leads_a_run_to_its_end(marquez: Any, word: str, state: str) -> None:
    started = marquez.create_job_run("analytics", "sum/up:100%", mark_as_running=True)
    assert started["state"] == "RUNNING"
    getattr(marquez, f"mark_job_run_as_{word}")(started["id"])
    assert marquez.get_job_run(started["id"])["state"] == state
    runs = marquez.list_job_runs("analytics", "sum/up:100%")["runs"]
    assert started["id"] in [one["id"] for one in runs]


def test_marquez_client_is_told_what_is_not_there(marquez: Any) -> None:
    with pytest.raises(APIError) as refused:
        marquez.get_job("analytics", "nothing of the kind")
    assert "404" in str(refused.value.__cause__)


@pytest.mark.parametrize("compression", [None, HttpCompression.GZIP], ids=["plain", "gzip"])
def test_openlineage_client_sends_and_marquez_client_reads(
    server: Running, marquez: Any, compression: HttpCompression | None
) -> None:
    name = f"copy_{compression}"
    encodings: list[Any] = []
    session = requests.Session()
    session.hooks["response"].append(
        lambda answer, **_: encodings.append(answer.request.headers.get("Content-Encoding"))
    )
    config = HttpConfig(url=server.url, compression=compression, session=session)
    client = OpenLineageClient(transport=HttpTransport(config))
    for state in (RunState.START, RunState.COMPLETE):
        client.emit(copy_event(name, state))
    assert encodings == [None if compression is None else "gzip"] * 2
    job = marquez.get_job("jobs", name)
    assert job["latestRun"]["state"] == "COMPLETED"
    assert [one["name"] for one in job["outputs"]] == [f"{name}_out"]
    graph = marquez.get_column_lineage_by_dataset(WAREHOUSE, f"{name}_out")["graph"]
    assert [one["data"]["field"] for one in graph] == ["price", "total"]
    by_field = marquez.get_column_lineage_by_dataset_field(WAREHOUSE, f"{name}_out", "total")
    assert by_field["graph"] == graph
    by_job = marquez.get_column_lineage_by_job("jobs", name)
    assert by_job["graph"] == graph


def test_openlineage_client_shows_its_token(tmp_path: Path) -> None:
    store = sqlite_url(tmp_path)
    with opened(store, "a test", make=True) as connection:
        secret = create_token(connection, "spark", Scope.WRITE, 0)
    event = copy_event("guarded", RunState.COMPLETE)
    with running(store) as server:
        unknown = HttpTransport(HttpConfig(url=server.url))
        with pytest.raises(requests.HTTPError, match="401"):
            unknown.emit(event)
        key = ApiKeyTokenProvider({"api_key": secret})
        answer = HttpTransport(HttpConfig(url=server.url, auth=key)).emit(event)
        assert answer.status_code == 201


def copy_event(name: str, state: RunState) -> RunEvent:
    schema = schema_dataset.SchemaDatasetFacet(
        fields=[schema_dataset.SchemaDatasetFacetFields("total", "INTEGER")]
    )
    made = column_lineage_dataset.ColumnLineageDatasetFacet(
        fields={
            "total": column_lineage_dataset.Fields(
                inputFields=[column_lineage_dataset.InputField(WAREHOUSE, f"{name}_in", "price")]
            )
        }
    )
    times = {RunState.START: "10:00", RunState.COMPLETE: "10:05"}
    return RunEvent(
        eventType=state,
        eventTime=f"2026-11-15T{times[state]}:00Z",
        run=Run(str(uuid5(NAMESPACE_URL, name))),
        job=Job("jobs", name),
        producer=PRODUCER,
        inputs=[InputDataset(WAREHOUSE, f"{name}_in")],
        outputs=[
            OutputDataset(
                WAREHOUSE, f"{name}_out", facets={"schema": schema, "columnLineage": made}
            )
        ],
    )
