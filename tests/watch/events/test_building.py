from __future__ import annotations

from datetime import UTC, datetime, timedelta

import orjson
import pytest
from msgspec.structs import replace
from openlineage.client.constants import DEFAULT_PRODUCER
from openlineage.client.serde import Serde

from mainstem.names.dataset import DatasetName
from mainstem.names.signature import sign
from mainstem.traces import message_of, summary_of
from mainstem.watch.connect.snapshot import ObservedConnector, ObservedTask, State
from mainstem.watch.events import Subject
from mainstem.watch.events.building import build, end_from_memory, event_of
from mainstem.watch.events.columns import MOST_COLUMNS
from mainstem.watch.events.producer import PRODUCER
from mainstem.watch.resolvers.model import (
    ColumnEdge,
    ColumnSource,
    ControlTopic,
    Edge,
    Evidence,
    Resolution,
    Symlink,
)
from mainstem.watch.runs.model import Telling, Transition
from mainstem.watch.schema_registry.fields import (
    Field,
    SchemaVersion,
    TopicFields,
    topic_schema,
)
from openlineage_schemas import assert_valid_event
from recorded import recorded

NOON = datetime(2026, 11, 16, 12, 0, 0, 123456, tzinfo=UTC)
RUN = "0193348a-0000-7000-8000-000000000001"
TABLES = [DatasetName("postgres://db:5432", f"shop.public.{name}") for name in ("orders", "items")]
TOPICS = [DatasetName("kafka://b:9092", f"shop.public.{name}") for name in ("orders", "items")]

TRACE = recorded("failed_task_badpassword_jdbc-bad_status")["body"]["tasks"][0]["trace"]


def subject() -> Subject:
    return Subject(
        job_namespace="kafka-connect://prod",
        job_name="orders-source",
        observed=ObservedConnector(
            name="orders-source",
            type="source",
            connector_class="io.debezium.connector.postgresql.PostgresConnector",
            state=State.RUNNING,
            worker_id="w:8083",
            config={},
            config_version="abc",
            tasks=(ObservedTask(0, State.RUNNING, "w:8083"),),
            expected_tasks=1,
            version="3.6.1.Final",
        ),
        resolution=Resolution(
            family="debezium",
            inputs=tuple(TABLES),
            outputs=tuple(TOPICS),
            edges=tuple(Edge(a, b, Evidence.SEEN) for a, b in zip(TABLES, TOPICS, strict=True)),
            control=(ControlTopic(DatasetName("kafka://b:9092", "shop"), "schema-change"),),
            columns=(
                ColumnEdge(TOPICS[0], "price", (ColumnSource(TABLES[0], "price"),)),
                ColumnEdge(TOPICS[0], "$key.id", (ColumnSource(TABLES[0], "id"),)),
                ColumnEdge(
                    TOPICS[0],
                    "card",
                    (ColumnSource(TABLES[0], "card", "TRANSFORMATION", masking=True),),
                ),
            ),
            symlinks={TOPICS[0]: (Symlink(DatasetName("kafka://id", TOPICS[0].name), "TOPIC"),)},
            notes=("a note",),
        ),
        worker_version="4.3.1",
        heartbeat=timedelta(minutes=5),
    )


def transition(telling: Telling, degraded: str | None = None) -> Transition:
    run_id = None if telling is Telling.JOB else RUN
    return Transition(telling, NOON, run_id, "why", degraded)


@pytest.mark.parametrize("telling", list(Telling))
def test_every_kind_of_event_is_valid_and_carries_both_sides(telling: Telling) -> None:
    event = assert_valid_event(build(subject(), transition(telling)))
    assert [(d["namespace"], d["name"]) for d in event["inputs"]] == [
        (d.namespace, d.name) for d in TABLES
    ]
    assert [(d["namespace"], d["name"]) for d in event["outputs"]] == [
        (d.namespace, d.name) for d in TOPICS
    ]
    assert event["eventTime"] == "2026-11-16T12:00:00.123Z"
    assert event.get("eventType") == (None if telling is Telling.JOB else telling.value)


def test_a_connector_of_which_nothing_is_known_still_says_both_sides() -> None:
    nothing = replace(subject(), resolution=Resolution("generic", unresolved=("no such family",)))
    event = assert_valid_event(build(nothing, transition(Telling.START)))
    assert event["inputs"] == event["outputs"] == []
    assert event["run"]["facets"]["extractionError"]["errors"] == [
        {"errorMessage": "no such family", "taskNumber": 0}
    ]


def test_the_producer_is_ours_on_the_event_and_on_every_facet() -> None:
    body = build(subject(), transition(Telling.FAIL))
    assert DEFAULT_PRODUCER not in body.decode()
    event = orjson.loads(body)
    facets = [event["job"]["facets"], event["run"]["facets"]]
    facets += [dataset["facets"] for dataset in (*event["inputs"], *event["outputs"])]
    assert {f["_producer"] for each in facets for f in each.values()} == {PRODUCER}
    assert all(f["_schemaURL"] for each in facets for f in each.values())


def test_the_job_says_what_it_is_and_its_explicit_edges() -> None:
    job = orjson.loads(build(subject(), transition(Telling.START)))["job"]
    assert (job["namespace"], job["name"]) == ("kafka-connect://prod", "orders-source")
    kind = job["facets"]["jobType"]
    assert (kind["processingType"], kind["integration"], kind["jobType"]) == (
        "STREAMING", "KAFKA_CONNECT", "SOURCE_CONNECTOR"
    )  # fmt: skip
    assert kind["emissionPattern"] == {
        "eventTrigger": "PERIODIC",
        "eventContentMode": "COMPLETE_SNAPSHOT",
        "windowDuration": 300,
    }
    told = {
        (source["name"], entry["name"])
        for entry in job["facets"]["lineage"]["entries"]
        for source in entry["inputs"]
    }
    assert told == {(a.name, b.name) for a, b in zip(TABLES, TOPICS, strict=True)}


def test_the_connector_facet_tells_evidence_control_topics_and_tasks() -> None:
    event = orjson.loads(build(subject(), transition(Telling.START)))
    facet = event["run"]["facets"]["mainstem_connector"]
    assert [edge["evidence"] for edge in facet["edges"]] == ["seen", "seen"]
    assert [(topic["name"], topic["kind"]) for topic in facet["control"]] == [
        ("shop", "schema-change")
    ]
    assert facet["tasks"] == [{"id": 0, "state": "RUNNING", "worker": "w:8083"}]
    assert event["run"]["facets"]["processing_engine"]["name"] == "kafka-connect"


def test_columns_come_with_the_schema_of_both_sides_and_say_what_masks() -> None:
    event = orjson.loads(build(subject(), transition(Telling.START)))
    schema = event["inputs"][0]["facets"]["schema"]["fields"]
    assert {field["name"] for field in schema} == {"price", "id", "card"}
    facet = event["outputs"][0]["facets"]["columnLineage"]
    assert "/facets/1-2-0/ColumnLineageDatasetFacet.json" in facet["_schemaURL"]
    columns = facet["fields"]
    entry = event["job"]["facets"]["lineage"]["entries"][0]
    told_twice = {
        name: ([one["field"] for one in made["inputFields"]], again["inputs"][0]["field"])
        for (name, made), again in zip(columns.items(), entry["fields"].values(), strict=True)
    }
    assert all(fields == [field] for fields, field in told_twice.values())
    assert columns["card"]["inputFields"][0]["transformations"] == [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": True}
    ]
    assert {field["name"] for field in event["outputs"][0]["facets"]["schema"]["fields"]} == set(
        columns
    )


@pytest.mark.parametrize("telling", list(Telling))
def test_the_bytes_are_those_of_the_official_serialiser(telling: Telling) -> None:
    version = SchemaVersion("orders-value", 3, 12, "AVRO")
    schema = TopicFields((Field("order", "record", (Field("price", ""),)),), (), version)
    known = replace(
        subject().resolution,
        schemas={TOPICS[0]: topic_schema(schema)},
        unresolved=("one thing",),
    )
    told = replace(subject(), resolution=known)
    event = event_of(told, transition(telling, "1 of 2 failed"))
    official = sign(Serde.to_dict(event), PRODUCER)
    ours = build(told, transition(telling, "1 of 2 failed"))
    assert ours == orjson.dumps(official, option=orjson.OPT_SORT_KEYS)


def test_what_decides_over_whole_rows_is_said_of_the_dataset() -> None:
    told = replace(
        subject().resolution,
        columns=(
            ColumnEdge(
                TOPICS[0],
                "price",
                (
                    ColumnSource(TABLES[0], "price"),
                    ColumnSource(TABLES[0], "kind", "CONDITIONAL", direct=False),
                    ColumnSource(TABLES[0], "price", "CONDITIONAL", direct=False),
                    ColumnSource(TABLES[0], "deleted", "FILTER", direct=False, of_rows=True),
                    ColumnSource(TABLES[0], "id", "JOIN", direct=False, of_rows=True),
                ),
            ),
            ColumnEdge(TOPICS[0], "site", ()),
        ),
    )
    event = assert_valid_event(
        build(replace(subject(), resolution=told), transition(Telling.START))
    )
    columns = event["outputs"][0]["facets"]["columnLineage"]
    assert columns["fields"]["site"] == {"inputFields": []}
    assert [
        (one["field"], [(way["type"], way["subtype"]) for way in one["transformations"]])
        for one in columns["fields"]["price"]["inputFields"]
    ] == [
        ("price", [("DIRECT", "IDENTITY"), ("INDIRECT", "CONDITIONAL")]),
        ("kind", [("INDIRECT", "CONDITIONAL")]),
    ]
    assert [
        (one["field"], [(way["type"], way["subtype"]) for way in one["transformations"]])
        for one in columns["dataset"]
    ] == [("deleted", [("INDIRECT", "FILTER")]), ("id", [("INDIRECT", "JOIN")])]
    entry = event["job"]["facets"]["lineage"]["entries"][0]
    assert [one.get("field") for one in entry["inputs"]] == [None, "deleted", "id"]
    assert [one["field"] for one in entry["fields"]["price"]["inputs"]] == ["price", "kind"]


def test_an_event_stays_of_a_size_that_can_be_sent() -> None:
    wide = [
        ColumnEdge(topic, f"column_{number}", (ColumnSource(table, f"column_{number}"),))
        for table, topic in zip(TABLES, TOPICS, strict=True)
        for number in range(MOST_COLUMNS // 2 + 1)
    ]
    resolution = replace(subject().resolution, columns=tuple(wide))
    body = build(replace(subject(), resolution=resolution), transition(Telling.START))
    event = assert_valid_event(body)
    first, second = event["outputs"]
    assert len(first["facets"]["columnLineage"]["fields"]) == MOST_COLUMNS // 2 + 1
    assert "columnLineage" not in second["facets"]
    assert "columns are not told of 1 outputs" in " ".join(
        event["run"]["facets"]["mainstem_connector"]["notes"]
    )
    assert len(body) < 2_500_000


def test_a_known_schema_is_told_whole_with_the_registry_s_ids() -> None:
    topic = TopicFields(
        value=(Field("order", "record", (Field("price", "decimal(10,2)", description="in EUR"),)),),
        key=(Field("", "string"),),
        value_schema=SchemaVersion("orders-value", 3, 12, "AVRO"),
        key_schema=SchemaVersion("orders-key", 1, 7, "AVRO"),
    )
    known = replace(subject().resolution, schemas={TOPICS[0]: topic_schema(topic)})
    event = assert_valid_event(
        build(replace(subject(), resolution=known), transition(Telling.RUNNING))
    )
    facets = event["outputs"][0]["facets"]
    assert facets["schema"]["fields"] == [
        {
            "name": "order",
            "type": "record",
            "fields": [{"name": "price", "type": "decimal(10,2)", "description": "in EUR"}],
        },
        {"name": "$key", "type": "string"},
    ]
    told = {key: value for key, value in facets["mainstem_schema"].items() if key[0] != "_"}
    assert told == {
        "registryId": 12,
        "subject": "orders-value",
        "version": 3,
        "format": "AVRO",
        "key": {"registryId": 7, "subject": "orders-key", "version": 1, "format": "AVRO"},
    }
    assert "mainstem_schema" not in event["outputs"][1]["facets"]


def test_a_failure_says_the_exceptions_and_only_by_option_the_whole_trace() -> None:
    failed = replace(
        subject().observed, tasks=(ObservedTask(0, State.FAILED, "w:8083", trace=TRACE),)
    )
    short = orjson.loads(build(replace(subject(), observed=failed), transition(Telling.FAIL)))[
        "run"
    ]["facets"]["errorMessage"]
    assert short["programmingLanguage"] == "JAVA"
    assert short["message"].startswith("org.hibernate.service.spi.ServiceException: Unable to")
    assert "\tat " not in short["stackTrace"]
    assert "Caused by: " in short["stackTrace"]
    whole = orjson.loads(
        build(
            replace(subject(), observed=failed, whole_traces=True),
            transition(Telling.FAIL),
        )
    )["run"]["facets"]["errorMessage"]
    assert whole["stackTrace"] == TRACE


def test_degraded_is_running_with_its_reason() -> None:
    event = assert_valid_event(build(subject(), transition(Telling.RUNNING, "1 of 2 failed")))
    assert event["run"]["facets"]["mainstem_connector"]["degraded"] == "1 of 2 failed"
    assert event["run"]["facets"]["errorMessage"]["message"] == "1 of 2 failed"


def test_the_end_of_a_deleted_connector_keeps_its_lineage_and_not_its_error() -> None:
    last = build(subject(), transition(Telling.RUNNING, "1 of 2 failed"))
    event = assert_valid_event(end_from_memory(last, transition(Telling.COMPLETE)))
    assert event["eventType"] == "COMPLETE"
    assert len(event["inputs"]) == len(event["outputs"]) == 2
    assert "errorMessage" not in event["run"]["facets"]
    assert "degraded" not in event["run"]["facets"]["mainstem_connector"]


def test_the_same_transition_gives_the_same_bytes() -> None:
    assert build(subject(), transition(Telling.START)) == build(
        subject(), transition(Telling.START)
    )


def test_traces_are_cut_to_what_a_person_needs() -> None:
    trace = "a.E: first\nmore of it\n\tat x.Y.z(Y.java:1)\nCaused by: b.F: second\n\t... 3 more"
    assert message_of(trace) == "a.E: first"
    assert summary_of(trace) == "a.E: first\nCaused by: b.F: second"
    assert message_of("") == ""
