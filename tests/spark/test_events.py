"""Events as they are sent, each checked against the specification and our own facet's schema."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from msgspec.structs import replace

from mainstem.spark import runs
from mainstem.spark.events import PRODUCER, Application, build, end_from_memory
from mainstem.spark.lineage import Dataset, QueryLineage, SchemaField, Source
from mainstem.spark.progress import Activity, SourceProgress
from mainstem.spark.runs import Failure, Identity, Kind, OpenRun, RunName, Statement, Telling
from openlineage_schemas import assert_valid_event

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
APP_RUN = "01931a00-0000-7000-8000-000000000001"
RUN = "5e0e2b34-1c1d-4f6e-9d52-0a4a4f0f7a11"
APPLICATION = Application(
    "prod", "orders", timedelta(seconds=60), "4.1.3", "local-1", run_id=APP_RUN
)
TOPIC = Dataset("kafka://b:9092", "orders", fields=(SchemaField("value", "binary"),))
TABLE = Dataset(
    "file",
    "/lake/db/orders",
    symlinks=(("file:/lake", "db.orders", "TABLE"),),
    fields=(SchemaField("id", "bigint"), SchemaField("s", "struct", (SchemaField("c", "string"),))),
)
OTHER = Dataset("kafka://b:9092", "rates")
SIDE = Dataset("file", "/side")
LINEAGE = QueryLineage(
    (TOPIC,),
    (TABLE,),
    columns={
        TABLE.key: {
            "id": (
                Source(TOPIC.key, "id", "DIRECT", "IDENTITY"),
                Source(TOPIC.key, "id", "INDIRECT", "CONDITIONAL"),
            ),
            "one": (),
        }
    },
    indirect={TABLE.key: (Source(TOPIC.key, "op", "INDIRECT", "FILTER"),)},
    opaque=("MapInPandas",),
    mode="overwrite",
)
STREAM = OpenRun(
    Identity(RUN, "orders.enrich", Kind.STREAM, "q1", "enrich", "ProcessingTimeTrigger"),
    told=NOON,
    parts=(LINEAGE, QueryLineage((OTHER,), (SIDE,))),
)


def told(statement: Statement, application: Application = APPLICATION) -> dict[str, Any]:
    return assert_valid_event(build(statement, application))


def test_a_start_says_everything() -> None:
    event = told(runs.start(STREAM))
    assert (event["eventType"], event["eventTime"]) == ("START", "2026-11-16T12:00:00.000Z")
    assert event["producer"] == PRODUCER
    assert event["job"]["namespace"] == "prod"
    pattern = event["job"]["facets"]["jobType"]["emissionPattern"]
    assert pattern["windowDuration"] == 60
    parent = event["run"]["facets"]["parent"]
    assert parent["run"]["runId"] == parent["root"]["run"]["runId"] == APP_RUN
    assert (parent["job"]["namespace"], parent["job"]["name"]) == ("prod", "orders")
    facet = event["run"]["facets"]["mainstem_spark"]
    assert (facet["queryId"], facet["opaque"]) == ("q1", ["MapInPandas"])
    table = event["outputs"][0]["facets"]
    assert [one["name"] for one in table["schema"]["fields"]] == ["id", "s"]
    assert table["schema"]["fields"][1]["fields"][0]["name"] == "c"
    assert table["symlinks"]["identifiers"][0]["name"] == "db.orders"
    assert table["lifecycleStateChange"]["lifecycleStateChange"] == "OVERWRITE"
    columns = table["columnLineage"]
    assert columns["_schemaURL"].split("/facets/")[1].startswith("1-2-0/")
    (one,) = columns["fields"]["id"]["inputFields"]
    assert [each["subtype"] for each in one["transformations"]] == ["IDENTITY", "CONDITIONAL"]
    assert columns["fields"]["one"]["inputFields"] == []
    assert columns["dataset"][0]["field"] == "op"


def test_each_output_names_its_own_inputs() -> None:
    entries = told(runs.start(STREAM))["job"]["facets"]["lineage"]["entries"]
    edges = {
        entry["name"]: {each["name"] for each in entry["inputs"] if "field" not in each}
        for entry in entries
    }
    assert edges == {"/lake/db/orders": {"orders"}, "/side": {"rates"}}


def test_rows_are_told_where_it_is_sure_whose_they_are() -> None:
    sources = (SourceProgress(7, offsets={"orders": {"0": 9}}), SourceProgress(3))
    active = replace(STREAM, activity=Activity(2, 5, 10, sources, "2026-11-16T11:00:00.000Z"))
    event = told(runs.go_on(active, NOON)[1])
    counts = {one["name"]: one["inputFacets"] for one in event["inputs"]}
    assert counts["orders"]["inputStatistics"]["rowCount"] == 7
    assert counts["rates"] == {}
    assert all(one["outputFacets"] == {} for one in event["outputs"]), "ten rows went to one of two"
    facet = event["run"]["facets"]["mainstem_spark"]
    assert facet["sources"] == [{"rows": 7, "offsets": {"orders": {"0": 9}}}, {"rows": 3}]
    assert (facet["batches"], facet["batchId"]) == (2, 5)


def test_one_output_gets_the_rows_written() -> None:
    alone = replace(STREAM, parts=(LINEAGE,), activity=Activity(1, 0, 10))
    (output,) = told(runs.start(alone))["outputs"]
    assert output["outputFacets"]["outputStatistics"]["rowCount"] == 10


def test_a_failure_says_why() -> None:
    failure = Failure("a.E: no", "JAVA", "a.E: no\nCaused by: b.F", "DIVIDE_BY_ZERO")
    event = told(runs.end(STREAM, Telling.FAIL, NOON, failure))
    assert event["run"]["facets"]["errorMessage"]["stackTrace"].endswith("b.F")
    assert event["run"]["facets"]["mainstem_spark"]["errorClass"] == "DIVIDE_BY_ZERO"
    assert len(event["outputs"]) == 2, "a terminal event names the datasets too"


def test_a_run_that_could_not_be_read_says_so() -> None:
    event = told(runs.start(replace(STREAM, parts=(), unread="Py4JError: no")))
    assert event["run"]["facets"]["extractionError"]["errors"][0]["errorMessage"] == "Py4JError: no"
    assert "lineage" not in event["job"]["facets"]


def test_an_orchestrator_is_the_parent_of_the_application_and_the_root_of_all() -> None:
    task = RunName("airflow", "dag.task", "01931a00-0000-7000-8000-000000000002")
    dag = RunName("airflow", "dag", "01931a00-0000-7000-8000-000000000003")
    under = replace(APPLICATION, parent=task, root=dag)
    own = OpenRun(Identity(APP_RUN, "orders", Kind.APPLICATION), told=NOON)
    parent = told(runs.start(own), under)["run"]["facets"]["parent"]
    assert (parent["job"]["name"], parent["root"]["job"]["name"]) == ("dag.task", "dag")
    parent = told(runs.start(STREAM), under)["run"]["facets"]["parent"]
    assert (parent["job"]["name"], parent["root"]["job"]["name"]) == ("orders", "dag")


def test_a_batch_promises_no_sign_of_life() -> None:
    batch = OpenRun(Identity(RUN, "orders.append.t", Kind.BATCH), told=NOON, parts=(LINEAGE,))
    assert told(runs.start(batch))["job"]["facets"]["jobType"].get("emissionPattern") is None


def test_a_run_is_ended_from_its_last_event() -> None:
    last = build(runs.start(STREAM), APPLICATION)
    later = NOON + timedelta(milliseconds=1)
    event = assert_valid_event(end_from_memory(last, later, Failure("gone", "PYTHON")))
    assert (event["eventType"], event["eventTime"]) == ("ABORT", "2026-11-16T12:00:00.001Z")
    assert event["inputs"] == orjson.loads(last)["inputs"]
