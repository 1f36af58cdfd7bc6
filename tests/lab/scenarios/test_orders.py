"""The pipeline as data: configurations that fit together, breakages that say what follows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mainstem.lab.scenarios import lake, orders
from mainstem.lab.scenarios.addresses import Addresses
from mainstem.lab.scenarios.breakages import BREAKAGES, Breakage, Told, find
from mainstem.lab.scenarios.expected import expected, sources
from mainstem.lab.scenarios.patterns import Pattern

AT = Addresses(
    postgres_host="127.0.0.1",
    postgres_port=5433,
    bootstrap="127.0.0.1:9092",
    second_bootstrap="kafka:9094",
    registry="http://127.0.0.1:8081",
    s3="http://127.0.0.1:9000",
    catalog=Path("/somewhere/catalog.db"),
    password="hush",
    secret_key="hush-hush",
)
DOCUMENTATION = Path(__file__).resolve().parents[3] / "docs" / "lab.md"


def test_the_sinks_read_what_the_source_writes() -> None:
    source = orders.source_config(AT)
    tables = source["table.include.list"].split(",")
    written = {f"{source['topic.prefix']}.{table}" for table in tables}
    sinks = [make(AT) for name, make in orders.CONNECTORS.items() if name != orders.SOURCE]
    assert {topic for sink in sinks for topic in sink["topics"].split(",")} == written


def test_connect_and_spark_are_told_of_one_catalog() -> None:
    connect = orders.orders_to_iceberg_config(AT)
    spark = lake.spark_settings(AT, "jars/*")
    ours = f"spark.sql.catalog.{connect['iceberg.catalog']}."
    assert {
        key.removeprefix("iceberg.catalog."): value
        for key, value in connect.items()
        if key.startswith("iceberg.catalog.")
    } == {key.removeprefix(ours): value for key, value in spark.items() if key.startswith(ours)}


def test_the_expected_graph_is_one_piece() -> None:
    graph = expected(AT)
    reached = {sources(AT)[0]}
    for _ in graph.edges:
        for edge in graph.edges:
            if reached & {edge.source, edge.target}:
                reached |= {edge.source, edge.target}
        # Two tables that one connector follows hang together through it.
        reached |= {edge.source for edge in graph.edges if edge.job == orders.SOURCE}
    assert reached == graph.nodes


def test_a_price_can_be_followed_from_the_database_to_both_totals() -> None:
    graph = expected(AT)
    reached = {(sources(AT)[0], "price")}
    for _ in graph.columns:
        reached |= {
            (edge.target, edge.target_field)
            for edge in graph.columns
            if (edge.source, edge.source_field) in reached
        }
    totals = {node.name for node, field in reached if field == "total_price"}
    assert totals == {"supplier-stats", "lake/shop/supplier_stats"}


def test_secrets_are_in_configurations_and_not_in_what_must_be_told() -> None:
    configurations = [make(AT) for make in orders.CONNECTORS.values()]
    assert all({AT.password, AT.secret_key} & set(each.values()) for each in configurations)
    assert "hush" not in "".join(map(str, expected(AT).edges))


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda each: each.name)
def test_every_breakage_can_be_found_and_is_documented(breakage: Breakage) -> None:
    assert find(breakage.name) is breakage
    assert f"| `{breakage.name}` |" in DOCUMENTATION.read_text()


@pytest.mark.parametrize("pattern", Pattern)
@pytest.mark.parametrize("name", [each.name for each in BREAKAGES])
def test_what_is_awaited_is_what_a_person_is_told_to_expect(name: str, pattern: Pattern) -> None:
    breakage = find(name, pattern)
    assert breakage is not None
    jobs = {told.job for told in (breakage.told_when_broken, breakage.told_when_healed) if told}
    assert len(jobs) <= 1
    if breakage.told_when_broken:
        assert breakage.told_when_broken.type in breakage.expect_when_broken
    if breakage.told_when_healed:
        assert breakage.told_when_healed.type in breakage.expect_when_healed


def test_a_table_leaves_the_catalog_and_comes_back_with_its_place(tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.db"
    columns = "catalog_name, table_namespace, table_name, metadata_location"
    rows = [("lake", "shop", "orders", "o"), ("lake", lake.NAMESPACE, lake.SUPPLIER_STATS, "s")]
    with closing(sqlite3.connect(catalog)) as session, session:
        session.execute(f"CREATE TABLE iceberg_tables ({columns})")
        session.executemany("INSERT INTO iceberg_tables VALUES (?, ?, ?, ?)", rows)

    def tables() -> dict[str, str]:
        with closing(sqlite3.connect(catalog)) as session:
            asked = "SELECT table_name, metadata_location FROM iceberg_tables"
            return dict(session.execute(asked).fetchall())

    lake.rename_table(catalog, lake.SUPPLIER_STATS, to="hidden")
    assert tables() == {"orders": "o", "hidden": "s"}
    lake.rename_table(catalog, "hidden", to=lake.SUPPLIER_STATS)
    assert tables() == {"orders": "o", lake.SUPPLIER_STATS: "s"}


def test_an_unknown_breakage_is_not_found() -> None:
    assert find("moon") is None


def event(kind: str, *fields: str) -> dict[str, object]:
    schema = {"fields": [{"name": field} for field in fields]}
    outputs = [{"namespace": "n", "name": "d", "facets": {"schema": schema}}]
    return {"eventType": kind, "job": {"name": "source"}, "outputs": outputs}


def test_an_awaited_column_must_be_there() -> None:
    awaited = Told("RUNNING", "source", "discount")
    assert awaited.is_in(event("RUNNING", "price", "discount"))
    assert not awaited.is_in(event("RUNNING", "price"))
    assert not awaited.is_in(event("START", "discount"))
    assert Told("START", "source").is_in(event("START"))
