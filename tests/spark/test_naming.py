"""What places are called: as the OpenLineage agent calls them."""

from __future__ import annotations

import pytest

from mainstem.spark.captured import Catalog, Place
from mainstem.spark.naming import datasets_at

BROKERS = "SASL_SSL://B1:9092,b2:9092"


@pytest.mark.parametrize(
    ("location", "namespace", "name"),
    [
        ("file:/data/wh/db/t", "file", "/data/wh/db/t"),
        ("s3a://lake/wh/db/t", "s3://lake", "wh/db/t"),
        ("gs://lake/wh/t/", "gs://lake", "wh/t"),
        ("hdfs://nn:8020/wh/t", "hdfs://nn:8020", "/wh/t"),
        ("abfs://c@a.dfs.core.windows.net/t", "abfss://c@a.dfs.core.windows.net", "t"),
    ],
)
def test_files_are_called_by_their_store_and_path(location: str, namespace: str, name: str) -> None:
    (dataset,) = datasets_at(Place("HadoopFsRelation", locations=(location,)))
    assert dataset.key == (namespace, name)


@pytest.mark.parametrize(
    ("options", "symlink"),
    [
        (
            {"type": "hadoop", "warehouse": "s3://lake/wh"},
            ("s3://lake/wh", "db.t", "TABLE"),
        ),
        (
            {"type": "hadoop", "warehouse": "file:///data/wh"},
            ("file:/data/wh", "db.t", "TABLE"),
        ),
        ({"type": "hive", "uri": "thrift://meta:9083"}, ("hive://meta:9083", "db.t", "TABLE")),
        ({"uri": "thrift://meta:9083"}, ("hive://meta:9083", "db.t", "TABLE")),
        ({"type": "rest", "uri": "https://cat/api"}, ("https://cat/api", "db.t", "TABLE")),
        (
            {"catalog-impl": "org.apache.iceberg.rest.RESTCatalog", "uri": "https://u:p@cat"},
            ("https://cat", "db.t", "TABLE"),
        ),
        ({"catalog-impl": "org.apache.iceberg.jdbc.JdbcCatalog", "uri": "jdbc:x"}, None),
        ({"type": "glue"}, None),
    ],
)
def test_an_iceberg_table_has_its_catalogs_name_too(
    options: dict[str, str], symlink: tuple[str, str, str] | None
) -> None:
    place = Place("SparkTable", ("db", "t"), ("s3://lake/wh/db/t",), Catalog("lake", options))
    (dataset,) = datasets_at(place)
    assert dataset.key == ("s3://lake", "wh/db/t")
    assert dataset.symlinks == ((symlink,) if symlink else ())


@pytest.mark.parametrize(
    ("options", "topics"),
    [
        ({"subscribe": "a, b"}, ["a", "b"]),
        ({"assign": '{"x": [0, 1]}'}, ["x"]),
        ({"topic": "out"}, ["out"]),
        ({"subscribepattern": "a.*"}, []),
    ],
)
def test_topics_are_called_by_the_first_broker(options: dict[str, str], topics: list[str]) -> None:
    place = Place("KafkaTable", options={"kafka.bootstrap.servers": BROKERS, **options})
    assert [each.key for each in datasets_at(place)] == [("kafka://b1:9092", one) for one in topics]


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("public.people", ["shop.public.people"]),
        ('"public"."people"', ["shop.public.people"]),
        ("(select * from public.a join b on a.x = b.x) t", ["shop.b", "shop.public.a"]),
        ("(with c as (select 1 from s.d) select * from c) t", ["shop.s.d"]),
        ("(this is no query) t", []),
    ],
)
def test_jdbc_sources_are_called_by_the_tables_they_read(table: str, names: list[str]) -> None:
    options = {"url": "jdbc:postgresql://DB/shop?password=secret", "dbtable": table}
    place = Place("JDBCRelation", options=options)
    assert sorted(each.name for each in datasets_at(place)) == names
    assert {each.namespace for each in datasets_at(place)} <= {"postgres://db:5432"}
    assert "secret" not in repr(place)


@pytest.mark.parametrize(
    ("location", "symlinks"),
    [
        ("file:/wh/t", (("file:/wh", "default.t", "TABLE"),)),
        ("file:/wh/shop.db/t", (("file:/wh", "shop.t", "TABLE"),)),
        ("file:/wh/some/t", ()),
        ("file:/elsewhere/t", ()),
        ("file:/wh", ()),
    ],
)
def test_a_managed_table_is_known_by_where_its_first_write_goes(
    location: str, symlinks: tuple[tuple[str, str, str], ...]
) -> None:
    built_in = Catalog("spark_catalog", {"warehouse": "file:/wh"})
    (dataset,) = datasets_at(Place("HadoopFsRelation", (), (location,), built_in))
    assert dataset.symlinks == symlinks


def test_a_place_that_may_hold_a_credential_has_no_name() -> None:
    assert datasets_at(Place("HadoopFsRelation", locations=("s3://key:secret@lake/t",))) == ()
