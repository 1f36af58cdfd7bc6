"""Each kind of finding, where it must be told and where it must not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from doctor_drawing import NOON, Drawing, Name, are_one, kinds, links
from mainstem.doctor.finding import Confidence, Finding, Severity, Where
from mainstem.doctor.picture import JobName, Link, Picture
from mainstem.doctor.thinking import KINDS, findings_in
from mainstem.names.dataset import DatasetName

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk"
B1, B2 = "kafka://broker-1:9092", "kafka://broker-2:9092"
SINK: dict[str, Any] = {"integration": "KAFKA_CONNECT", "type": "SINK_CONNECTOR"}


def cut(written: Name, read: Name, **about: Any) -> Drawing:
    """A seam whose two sides are called by two names."""
    drawing = Drawing().job("w", [("postgres://db:5432", "s.p.t")], [written])
    return drawing.job("r", [read], [("postgres://dwh:5432", "d.p.t2")], **about)


def only(picture: Picture, kind: str) -> Finding:
    (found,) = findings_in(picture)
    assert found.kind == kind
    return found


def test_every_kind_has_a_name_of_its_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


# Kafka clusters


def test_a_cluster_id_makes_it_certain() -> None:
    drawing = cut((B1, "orders"), ("kafka://elsewhere:9092", "orders"))
    other = (DatasetName(f"kafka://{CLUSTER}", "payments"),)
    drawing.dataset((B1, "payments"), others=other)
    drawing.dataset(("kafka://elsewhere:9092", "refunds"), others=other)
    found = [one for one in findings_in(drawing.picture()) if one.kind == "kafka-cluster-id"]
    assert [one.confidence for one in found] == [Confidence.CERTAIN]
    assert are_one(found, (B1, "orders"), ("kafka://elsewhere:9092", "orders"))


def test_a_cluster_that_was_asked_for_its_id() -> None:
    drawing = cut((B1, "orders"), ("kafka://elsewhere:9092", "orders"))
    asked = {B1: CLUSTER, "kafka://elsewhere:9092": CLUSTER}
    assert only(drawing.picture(cluster_ids=asked), "kafka-cluster-id").severity is Severity.ERROR


def test_other_ids_are_other_clusters() -> None:
    drawing = cut((B1, "orders"), (B2, "orders"))
    asked = {B1: CLUSTER, B2: CLUSTER[::-1]}
    assert kinds(findings_in(drawing.picture(cluster_ids=asked))) == [
        "topic-unwritten",
        "topic-unread",
    ]


def test_brokers_of_one_cluster_are_told_apart_from_another_cluster() -> None:
    assert only(cut((B1, "t"), (B2, "t")).picture(), "kafka-listeners").confidence == "likely"
    apart = cut((B1, "t"), ("kafka://other:9092", "t")).picture()
    assert only(apart, "kafka-listeners").confidence == "possible"


def test_a_list_of_brokers_that_the_backend_shortened_is_still_read() -> None:
    listed = DatasetName("kafka://broker-1:9092,broker-2:9092", "orders")
    drawing = cut((B1, "orders"), (B2, "orders"))
    drawing.dataset((B1, "orders"), others=(listed,))
    found = only(drawing.picture(), "kafka-address")
    assert found.confidence is Confidence.CERTAIN


def test_a_mirrored_topic_is_a_copy() -> None:
    drawing = cut((B1, "orders"), (B2, "orders"))
    drawing.job("mirror", [(B1, "orders")], [(B2, "orders")])
    assert findings_in(drawing.picture()) == []


def test_two_environments_with_the_same_topics_are_two() -> None:
    drawing = Drawing()
    for at in ("kafka://prod:9092", "kafka://localhost:9092"):
        drawing.job(f"w {at}", [], [(at, "orders")]).job(f"r {at}", [(at, "orders")], [])
    assert findings_in(drawing.picture()) == []


def test_topics_of_no_cluster_without_a_counterpart_are_told_too() -> None:
    found = only(cut(("kafka://unknown:unknown", "a"), (B1, "b")).job(
        "w2", [], [(B1, "b")]).picture(), "kafka-unknown")  # fmt: skip
    assert (found.severity, found.remedies) == (Severity.WARN, ())


def test_topics_of_no_cluster_that_several_clusters_have_are_joined_one_by_one() -> None:
    drawing = Drawing().job("w", [], [("kafka://null:-1", "a"), ("kafka://null:-1", "b")])
    drawing.job("r1", [(B1, "a")]).job("r2", [("kafka://other:9092", "b")])
    found = only(drawing.picture(), "kafka-unknown")
    assert found.confidence is Confidence.POSSIBLE
    assert are_one([found], (B1, "a"), ("kafka://null:-1", "a"))
    assert not are_one([found], (B1, "a"), ("kafka://other:9092", "a"))


def test_producers_are_told_in_their_own_words() -> None:
    said: dict[str, str] = {}
    for integration in ("DEBEZIUM", "SPARK"):
        drawing = Drawing().job(
            "w", [], [("kafka://unknown:unknown", "t")], integration=integration
        )
        drawing.job("r", [(B1, "t")])
        found = only(drawing.picture(), "kafka-unknown")
        said |= {one.where: one.text for one in found.remedies}
    assert said[Where.DEBEZIUM] == (
        "openlineage.integration.dataset.kafka.bootstrap.servers=broker-1:9092"
    )
    assert said[Where.SPARK] == '.option("kafka.bootstrap.servers", "broker-1:9092")'
    assert said[Where.RECIPE] == (
        'namespaces:\n  "kafka://broker-1:9092":\n    - "kafka://unknown:unknown"'
    )


def test_spark_is_given_a_resolver_where_one_can_say_it() -> None:
    drawing = cut((B1, "t"), ("kafka://localhost:9092", "t"), integration="SPARK")
    texts = {one.where: one.text for one in findings_in(drawing.picture())[0].remedies}
    key = "spark.openlineage.dataset.namespaceResolvers.broker-1"
    assert texts[Where.SPARK] == (
        f"{key}.type=hostList\n{key}.hosts=[localhost]\n{key}.schema=kafka"
    )


def test_every_address_of_this_machine_is_found() -> None:
    here, again, elsewhere = (f"kafka://{at}" for at in ("127.0.0.1:1", "localhost:1", "[::1]:2"))
    drawing = Drawing().job("w", [("postgres://db:5432", "s.p.t")], [(here, "t"), (here, "u")])
    for at in (again, elsewhere, "kafka://PLAINTEXT://127.0.0.1:1"):
        drawing.job(f"r of {at}", [(at, "t"), (at, "u")], [("s3://lake", at)])
    found = findings_in(drawing.picture())
    assert kinds(found) == ["kafka-address", "server-loopback", "server-loopback"]
    assert Confidence.POSSIBLE not in {one.confidence for one in found}
    for at in (again, elsewhere, "kafka://PLAINTEXT://127.0.0.1:1"):
        assert are_one(found, (here, "t"), (at, "t"))


def test_which_of_two_hosts_localhost_is_remains_possible() -> None:
    drawing = cut((B1, "t"), ("kafka://localhost:9092", "t")).job("w2", [], [(B2, "t")])
    found = [one for one in findings_in(drawing.picture()) if one.kind == "server-loopback"]
    assert [one.confidence for one in found] == [Confidence.POSSIBLE, Confidence.POSSIBLE]


# Datasets


@pytest.mark.parametrize("usual", [str.upper, str.lower])
def test_a_name_keeps_the_case_of_those_beside_it(usual: Callable[[str], str]) -> None:
    server = "oracle://db:1521"
    drawing = cut((server, "shop.orders"), (server, "SHOP.ORDERS"))
    drawing.job("other", [(server, usual("shop.bids"))], [("s3://lake", "bids")])
    found = only(drawing.picture(), "letter-case")
    (link,) = links([found])
    assert link.name == usual("shop.orders")


def test_a_table_copied_to_another_server_is_not_the_same_table() -> None:
    """Change data capture: what is read here is written there under the same name."""
    here, there = ("postgres://localhost:5432", "s.p.t"), ("postgres://dwh:5432", "s.p.t")
    drawing = Drawing().job("capture", [here], [(B1, "t")]).job("sink", [(B1, "t")], [there])
    assert findings_in(drawing.picture()) == []


def test_different_columns_are_different_tables() -> None:
    written, read = ("mysql://db:3306", "shop.Orders"), ("mysql://db:3306", "shop.orders")
    drawing = cut(written, read)
    assert kinds(findings_in(drawing.picture())) == ["letter-case"]
    drawing.dataset(written, columns=("id", "price"))
    drawing.dataset(read, columns=("name", "street", "town"))
    assert findings_in(drawing.picture()) == []


def test_a_part_is_not_guessed_where_two_would_do() -> None:
    drawing = cut(("postgres://x:5432", "a.public.t"), ("postgres://x:5432", "public.t"))
    assert kinds(findings_in(drawing.picture())) == ["left-out-part"]
    drawing.job("w2", [], [("postgres://x:5432", "b.public.t")])
    assert findings_in(drawing.picture()) == []


PATHS = ["wh/shop/orders", "wh/shop.db/orders", f"wh/shop/orders-{'a' * 32}"]
CATALOGS = [
    ("hive://m:9083", "shop.orders"),
    ("https://rest/cat", "lake.shop.orders"),
    ("arn:aws:glue:eu-west-3:1", "table/shop/orders"),
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("catalog", CATALOGS)
def test_a_lake_s_table_by_its_path_and_by_its_catalog(path: str, catalog: Name) -> None:
    found = only(cut(("s3://lake", path), catalog).picture(), "iceberg-name")
    assert are_one([found], ("s3://lake", path), catalog)


def test_a_warehouse_s_own_name_is_certain() -> None:
    drawing = cut(("s3://lake", "wh/shop/orders"), ("s3://lake/wh", "shop.orders"))
    assert only(drawing.picture(), "iceberg-name").confidence is Confidence.CERTAIN


def test_numbers_and_short_words_tell_names_apart() -> None:
    for one, other in (("orders_1", "orders_2"), ("orders_eu", "orders_us")):
        drawing = cut(("mysql://db:3306", f"s.{one}"), ("mysql://db:3306", f"s.{other}"))
        for name in (one, other):
            drawing.dataset(("mysql://db:3306", f"s.{name}"), columns=("id", "price"))
        assert findings_in(drawing.picture()) == []


def test_a_sink_that_writes_beside_what_is_read() -> None:
    target, read = ("s3://lake", "topics/orders"), ("s3://lake", "topics/orders/year=2026")
    drawing = Drawing().job("sink", [(B1, "orders")], [target], **SINK)
    drawing.job("w", [], [(B1, "orders")]).job("r", [read], [("s3://lake", "out/x")])
    found = only(drawing.picture(), "sink-unread")
    assert found.confidence is Confidence.POSSIBLE
    recipe = next(one for one in found.remedies if one.where is Where.RECIPE)
    assert 'name: "topics/orders/year=2026"' in recipe.text


def test_what_a_user_took_apart_is_not_told_again() -> None:
    drawing = cut(("mysql://db:3306", "shop.Orders"), ("mysql://db:3306", "shop.orders"))
    (link,) = links(findings_in(drawing.picture()))
    turned = Link(link.other_namespace, link.other_name, link.namespace, link.name)
    assert findings_in(drawing.picture(rejected=(turned,))) == []


# Seams


def test_topics_without_a_writer_or_a_reader() -> None:
    drawing = Drawing().job("w", [], [(B1, "a")]).job("r", [(B1, "b")], [])
    found = {one.kind: one.severity for one in findings_in(drawing.picture())}
    assert found == {"topic-unwritten": Severity.WARN, "topic-unread": Severity.INFO}
    assert findings_in(drawing.picture(is_whole=False)) == []


def test_what_has_one_reason_is_told_once() -> None:
    drawing = Drawing()
    for number in range(30):
        silent: dict[str, Any] = {"stale": True, "heartbeat": 60.0, "told": NOON, "streaming": True}
        drawing.job(f"r{number}", [(B1, f"t{number}")], [], **silent)
    found = findings_in(drawing.picture())
    assert kinds(found) == ["heartbeat-missing", "topic-unwritten"]
    assert [len(one.nodes) for one in found] == [30, 30]


def test_a_table_that_nobody_reads_is_as_it_should_be() -> None:
    drawing = Drawing().job("w", [("s3://lake", "a/b")], [("s3://lake", "a/c")])
    assert findings_in(drawing.picture()) == []


def test_an_unresolved_connector_says_why() -> None:
    drawing = Drawing().job("sink", [], [], unresolved=("no topic is told",), **SINK)
    found = only(drawing.picture(), "connector-unresolved")
    assert "no topic is told" in found.title
    assert "targets:" in found.remedies[0].text


def test_runs_that_are_not_heard_of() -> None:
    long_ago: dict[str, Any] = {"state": "RUNNING", "began": NOON - timedelta(days=3)}
    silent: dict[str, Any] = long_ago | {"told": NOON - timedelta(days=2)}
    drawing = Drawing().job("stale", stale=True, heartbeat=60.0, streaming=True, **silent)
    drawing.job("batch", **silent).job("stream", streaming=True, **silent)
    drawing.job("busy", **long_ago, told=NOON - timedelta(hours=1))
    drawing.job("step", **silent, parent=JobName("jobs", "batch"))
    found = {one.kind: [node.name for node in one.nodes] for one in findings_in(drawing.picture())}
    assert found == {"heartbeat-missing": ["stale"], "run-never-ends": ["batch"]}


def test_column_lineage_that_is_missing() -> None:
    source, target = ("mysql://a:3306", "s.t"), ("mysql://b:3306", "s.u")
    drawing = Drawing().job("etl", [source], [target], integration="SPARK")
    drawing.dataset(source, columns=("id", "price"))
    assert findings_in(drawing.picture()) == []
    place = drawing.dataset(target, columns=("id", "total"))
    assert kinds(findings_in(drawing.picture())) == ["columns-missing"]
    drawing.job("copy", [source], [target], columns_made=frozenset({place}), state="COMPLETED")
    assert "columns-missing" not in kinds(findings_in(drawing.picture()))


def test_two_writers_of_one_table() -> None:
    table = ("mysql://b:3306", "s.u")
    step = {"parent": JobName("jobs", "app")}
    drawing = Drawing().job("one", [], [table], **step).job("two", [], [table], **step)
    assert findings_in(drawing.picture()) == []
    drawing.job("stopped", [], [table], streaming=True, state="COMPLETED")
    drawing.job("old", [], [table], told=NOON - timedelta(days=90))
    assert findings_in(drawing.picture()) == []
    drawing.job("other", [], [table])
    assert kinds(findings_in(drawing.picture())) == ["two-writers"]
    topics = Drawing().job("w1", [], [(B1, "t")]).job("w2", [], [(B1, "t")]).job("r", [(B1, "t")])
    assert findings_in(topics.picture()) == []


def test_a_column_that_a_reader_lost() -> None:
    table = ("mysql://b:3306", "s.u")
    drawing = Drawing().job("w", [], [table])
    place = drawing.dataset(table, columns=("id", "amount"), former=frozenset({"price"}))
    read = {place: frozenset({"id", "price"})}
    drawing.job("r", [table], [], columns_read=read)
    assert "price" in only(drawing.picture(), "column-broken").title
    drawing.dataset(table, former=frozenset())
    assert findings_in(drawing.picture()) == []


def test_an_id_stays_and_depends_on_kind_and_nodes() -> None:
    picture = cut((B1, "t"), (B2, "t")).picture()
    (found,) = findings_in(picture)
    assert findings_in(replace(picture, made_at=NOON + timedelta(days=1)))[0].id == found.id
    assert replace(found, kind="other").id != found.id
    assert replace(found, nodes=found.nodes[:1]).id != found.id
    assert replace(found, nodes=found.nodes[::-1]).id == found.id
