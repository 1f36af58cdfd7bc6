"""Jobs and URNs, as DataHub's own source names them; and what is taken back."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.names.files import azure_blob, azure_data_lake, local_file, remote_file, s3
from mainstem.names.mongodb import collection
from mainstem.names.web import http_endpoint
from mainstem.recipe.ingestion import Environment
from mainstem.watch.connect.snapshot import ObservedConnector, State
from mainstem.watch.datahub.jobs import jobs_of
from mainstem.watch.datahub.naming import Naming, field_urn
from mainstem.watch.datahub.proposals import existence_of, proposals_of
from mainstem.watch.datahub.staleness import standing
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Edge, Evidence, Resolution

TABLE = DatasetName("mysql://db:3306", "Shop.orders")
TOPIC = DatasetName("kafka://b1:9092", "orders")
OTHER = DatasetName("kafka://b1:9092", "copies")


def observed(connector_class: str = "com.acme.Source", type_: str = "source") -> ObservedConnector:
    config = {"connector.class": connector_class, "connection.user": "joe"}
    return ObservedConnector("c", type_, connector_class, State.RUNNING, "w", config, "v1")


def lineage(*pairs: tuple[DatasetName, DatasetName], **more: Any) -> Resolution:
    edges = tuple(Edge(one, other, Evidence.CONFIG) for one, other in pairs)
    inputs = tuple(dict.fromkeys(edge.input for edge in edges))
    outputs = tuple(dict.fromkeys(edge.output for edge in edges))
    return Resolution("any", **{"inputs": inputs, "outputs": outputs, "edges": edges, **more})


@pytest.mark.parametrize(
    ("resolution", "ids"),
    [
        (lineage((TABLE, TOPIC)), ["Shop.orders"]),
        (lineage((TABLE, TOPIC), (TABLE, OTHER)), ["Shop.orders.orders", "Shop.orders.copies"]),
        (Resolution("any", outputs=(TOPIC,)), ["unknown_source.orders"]),
        (Resolution("any", inputs=(TOPIC,)), ["orders"]),
    ],
)
def test_a_job_is_called_by_what_it_reads(resolution: Resolution, ids: list[str]) -> None:
    assert [job.id for job in jobs_of(observed(), resolution, Naming())] == ids


def test_old_ids_of_jdbc_and_debezium_jobs_keep_the_connectors_own_instance() -> None:
    naming = Naming(connect_to_platform_map={"c": {"mysql": "core"}})
    for connector_class in (
        "io.confluent.connect.jdbc.JdbcSourceConnector",
        "io.debezium.connector.mysql.MySqlConnector",
    ):
        (job,) = jobs_of(observed(connector_class), lineage((TABLE, TOPIC)), naming)
        assert job.id == "core.Shop.orders"
    (job,) = jobs_of(observed("com.acme.Source"), lineage((TABLE, TOPIC)), naming)
    assert job.id == "Shop.orders"


def test_urns_have_instance_env_and_case() -> None:
    naming = Naming(
        env="STG",
        platform_instance="east",
        platform_instance_map={"mysql": "loser"},
        connect_to_platform_map={"c": {"mysql": "core"}},
        lower_case=True,
    )
    assert naming.flow_urn("c") == "urn:li:dataFlow:(kafka-connect,east.c,STG)"
    assert naming.dataset_urn("c", TABLE) == (
        "urn:li:dataset:(urn:li:dataPlatform:mysql,core.shop.orders,STG)"
    )
    assert naming.dataset_urn("other", TABLE) == (
        "urn:li:dataset:(urn:li:dataPlatform:mysql,loser.shop.orders,STG)"
    )
    lake = DatasetName("s3://lake", "raw/orders")
    assert naming.dataset_urn("c", lake) == (
        "urn:li:dataset:(urn:li:dataPlatform:s3,lake/raw/orders,STG)"
    )


def test_stores_are_called_as_by_the_sdks_own_builders() -> None:
    from datahub.ingestion.source.aws.s3_util import make_s3_urn_for_lineage  # noqa: PLC0415
    from datahub.ingestion.source.azure.abs_utils import make_abs_urn  # noqa: PLC0415

    naming = Naming()
    for uri, dataset in (
        ("s3://lake", s3("lake", "")),
        ("s3://lake/", s3("lake", "")),
        ("s3://lake/raw/orders/", s3("lake", "raw/orders")),
    ):
        assert naming.dataset_urn("c", dataset) == make_s3_urn_for_lineage(uri, "PROD")
    blob = "https://acme.blob.core.windows.net/raw/topics/orders"
    for dataset in (
        azure_blob("raw", "acme", "topics/orders"),
        azure_data_lake("raw", "acme", "topics/orders"),
    ):
        assert naming.dataset_urn("c", dataset) == make_abs_urn(blob, "PROD")


def test_a_mongodb_found_by_dns_is_a_mongodb() -> None:
    naming = Naming(platform_instance_map={"mongodb": "atlas"})
    orders = collection("mongodb+srv://c0.abc.mongodb.net", "shop", "orders")
    assert naming.dataset_urn("c", orders) == (
        "urn:li:dataset:(urn:li:dataPlatform:mongodb,atlas.shop.orders,PROD)"
    )


@pytest.mark.parametrize(
    ("one", "other", "urn"),
    [
        (http_endpoint("https://a/v1"), http_endpoint("https://b/v1"), "https,a:443/v1"),
        (http_endpoint("http://a:81/"), http_endpoint("http://b:81/"), "http,a:81"),
        (remote_file("a", "/in"), remote_file("b", "/in"), "file,a/in"),
        (local_file("/in"), remote_file("a", "/in"), "file,/in"),
    ],
)
def test_two_servers_are_two_datasets(one: DatasetName, other: DatasetName, urn: str) -> None:
    assert Naming().dataset_urn("c", one) == (f"urn:li:dataset:(urn:li:dataPlatform:{urn},PROD)")
    assert Naming().dataset_urn("c", one) != Naming().dataset_urn("c", other)


def test_columns_are_fine_grained_lineage_of_the_job_that_moves_them() -> None:
    columns = (
        ColumnEdge(TOPIC, "id", (ColumnSource(TABLE, "order_id"),)),
        ColumnEdge(TOPIC, "flag", (ColumnSource(TABLE, "kind", direct=False),)),
        ColumnEdge(OTHER, "id", (ColumnSource(TABLE, "order_id"),)),
    )
    resolution = lineage((TABLE, TOPIC), (TABLE, OTHER), columns=columns)
    told = proposals_of(observed(), resolution, Naming())
    (first, second) = (each for each in told if each["aspectName"] == "dataJobInputOutput")
    (column,) = first["aspect"]["json"]["fineGrainedLineages"]
    table = "urn:li:dataset:(urn:li:dataPlatform:mysql,Shop.orders,PROD)"
    topic = "urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)"
    assert column["upstreams"] == [f"urn:li:schemaField:({table},order_id)"]
    assert column["downstreams"] == [f"urn:li:schemaField:({topic},id)"]
    assert len(second["aspect"]["json"]["fineGrainedLineages"]) == 1


ANY = st.text(st.sampled_from("aB.é,()%␟/ "), min_size=1, max_size=6)


def test_environments_are_the_sdks() -> None:
    from datahub.emitter.mce_builder import ALL_ENV_TYPES  # noqa: PLC0415

    assert set(get_args(Environment)) == ALL_ENV_TYPES


@settings(max_examples=60)
@given(ANY, ANY, ANY, st.sampled_from(get_args(Environment)), st.none() | ANY)
def test_urns_are_those_of_the_sdks_own_builders(
    connector: str, dataset: str, other: str, env: str, instance: str | None
) -> None:
    from datahub.emitter import mce_builder as sdk  # noqa: PLC0415

    by_platform = {"mysql": instance} if instance else {}
    naming = Naming(env=env, platform_instance=instance, platform_instance_map=by_platform)
    flow = sdk.make_data_flow_urn("kafka-connect", connector, env, instance)
    assert naming.flow_urn(connector) == flow
    assert naming.job_urn(connector, other) == sdk.make_data_job_urn_with_flow(flow, other)
    urn = naming.dataset_urn(connector, DatasetName("mysql://db:3306", dataset))
    assert urn == sdk.make_dataset_urn_with_platform_instance("mysql", dataset, instance, env)
    assert field_urn(urn, other) == sdk.make_schema_field_urn(urn, other)


@settings(max_examples=30)
@given(ANY, ANY, st.booleans(), st.sampled_from(["both", "input", "output"]))
def test_proposals_are_what_the_sdks_own_wrapper_writes(
    field: str, source: str, removed: bool, sides: str
) -> None:
    from datahub.emitter.mcp import MetadataChangeProposalWrapper  # noqa: PLC0415

    columns = (ColumnEdge(TOPIC, field, (ColumnSource(TABLE, source),)),)
    resolution = {
        "both": lineage((TABLE, TOPIC), columns=columns),
        "input": Resolution("any", inputs=(TABLE,)),
        "output": Resolution("any", outputs=(TOPIC,)),
    }[sides]
    told = [*proposals_of(observed(), resolution, Naming())]
    told.append(existence_of(told[0]["entityUrn"], removed=removed))
    read = [MetadataChangeProposalWrapper.from_obj(copy.deepcopy(each)) for each in told]
    again = [
        each.to_obj(simplified_structure=True)
        for each in read
        if isinstance(each, MetadataChangeProposalWrapper)
    ]
    assert again == told


def test_who_logs_in_is_not_told() -> None:
    flow = proposals_of(observed(), lineage((TABLE, TOPIC)), Naming())[0]
    assert flow["aspect"]["json"]["customProperties"] == {"connector.class": "com.acme.Source"}


ENTITIES = st.sets(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")))


@settings(max_examples=60)
@given(ENTITIES, ENTITIES, st.sets(st.sampled_from("abc")), st.booleans())
def test_only_what_was_told_before_and_is_known_to_be_gone_is_taken_back(
    before: set[tuple[str, str]], now: set[tuple[str, str]], unreadable: set[str], removes: bool
) -> None:
    stale, remembered = standing(before, now, unreadable=unreadable, removes=removes)
    assert stale <= before - now
    assert not any(connector in unreadable for connector, _ in stale)
    assert not stale or removes
    assert remembered == (before | now) - stale
    assert stale == {e for e in before - now if removes and e[0] not in unreadable}


def test_nothing_is_told_to_datahubs_makers() -> None:
    program = (
        "import mainstem.watch.datahub.proposals as ours;"
        "ours.existence_of('urn:li:dataFlow:(a,b,c)');"
        "from datahub.telemetry import telemetry; print(telemetry.ENV_ENABLED)"
    )
    environment = {"PATH": os.environ["PATH"], "DATAHUB_TELEMETRY_ENABLED": "true"}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "False"
