"""Names are those of the official client, wherever it has a class for the store."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openlineage.client.naming import dataset as official

import mainstem.names
from mainstem.errors import CannotTell
from mainstem.names import files, kafka
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority
from mainstem.names.run_id import run_id
from mainstem.names.servers import on_server
from mainstem.names.warehouse_hosts import redshift_namespace, snowflake_namespace

word = st.text(alphabet="abcXYZ_$09", min_size=1, max_size=8)
host = st.from_regex(r"\A[a-z][a-z0-9.-]{0,9}[a-z0-9]\Z")
port = st.integers(1, 65535).map(str)


def named(naming: official.DatasetNaming) -> DatasetName:
    return DatasetName(naming.get_namespace(), naming.get_name())


@settings(max_examples=50, deadline=None)
@given(host, port, word, word, word)
def test_servers_are_named_as_the_official_client_names_them(
    server: str, number: str, one: str, two: str, three: str
) -> None:
    at = f"{server}:{number}"
    assert kafka.topic(kafka.cluster_namespace(at), one) == named(
        official.Kafka(server, number, one)
    )
    for system, naming in (
        ("postgres", official.Postgres),
        ("db2", official.DB2),
        ("oracle", official.Oracle),
        ("crate", official.CrateDB),
        ("trino", official.Trino),
    ):
        assert on_server(system, at, one, two, three) == named(
            naming(server, number, one, two, three)
        )
    for system, naming in (
        ("mysql", official.MySQL),
        ("cassandra", official.Cassandra),
        ("teradata", official.Teradata),
        ("hive", official.Hive),
    ):
        assert on_server(system, at, one, two) == named(naming(server, number, one, two))


@settings(max_examples=50, deadline=None)
@given(host, port, word)
def test_files_are_named_as_the_official_client_names_them(
    server: str, number: str, path: str
) -> None:
    assert files.local_file(f"/{path}") == named(official.LocalFileSystem(f"/{path}"))
    assert files.remote_file(server, f"/{path}") == named(
        official.RemoteFileSystem(server, f"/{path}")
    )
    assert files.s3("bucket", path) == named(official.S3("bucket", path))
    assert files.gcs("bucket", path) == named(official.GCS("bucket", path))
    assert files.hdfs(f"hdfs://{server}:{number}", f"/{path}") == named(
        official.HDFS(server, number, f"/{path}")
    )
    assert files.azure_data_lake("box", "acme", path) == named(official.ABFSS("box", "acme", path))


@pytest.mark.parametrize("address", ["", " , ", "h:port", "a b", "${env:HOST}", "h:1:2"])
def test_what_is_no_address_cannot_be_named(address: str) -> None:
    with pytest.raises(CannotTell):
        authority(address, 1)


@settings(max_examples=100, deadline=None)
@given(
    st.text(alphabet="abc:/?#@=%,;", max_size=10),
    st.sampled_from(["", "mongodb://", "http://", "SASL_SSL://"]),
)
def test_no_address_keeps_its_credentials(noise: str, scheme: str) -> None:
    secret = "PASSW0RD"
    try:
        answer = authority(f"{scheme}user:{noise}{secret}{noise}@host:1", 1)
    except CannotTell as refused:
        answer = refused.reason
    assert secret.lower() not in answer.lower()


def test_a_run_id_repeats_and_grows_with_time() -> None:
    first = datetime(2026, 1, 1, tzinfo=UTC)
    assert run_id(first, "cluster", "sink") == run_id(first, "cluster", "sink")
    assert run_id(first, "cluster", "sink") != run_id(first, "clusters", "ink")
    assert run_id(first, "a") < run_id(first + timedelta(milliseconds=1), "a")
    assert run_id(first, "a").version == 7


def test_the_examples_in_the_room_run() -> None:
    for module in pkgutil.walk_packages(mainstem.names.__path__, "mainstem.names."):
        failed, _ = doctest.testmod(importlib.import_module(module.name))
        assert failed == 0, module.name


def test_warehouses_are_named_as_the_official_client_names_them() -> None:
    assert snowflake_namespace("ORG-acc.snowflakecomputing.com") == (
        official.Snowflake("org", "acc", "d", "s", "t").get_namespace()
    )
    assert redshift_namespace("shop.abc.eu-west-3.redshift.amazonaws.com:5440") == (
        official.Redshift("shop", "eu-west-3", "5440", "d", "s", "t").get_namespace()
    )
