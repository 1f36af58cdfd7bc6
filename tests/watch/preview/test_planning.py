"""What speaks against a planned connector, and what does not."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.watch.preview.parties import Party
from mainstem.watch.preview.planning import CurrentColumn, Kind, Today, plan_of
from mainstem.watch.resolvers.model import (
    ColumnEdge,
    ColumnSource,
    Connector,
    ControlTopic,
    Direction,
    Resolution,
    Symlink,
)

KAFKA = "kafka://b1:9092"
TABLE = DatasetName("postgres://db:5432", "shop.public.orders")
TOPIC = DatasetName(KAFKA, "orders")
OLD = DatasetName(KAFKA, "old-orders")


def lineage(**more: object) -> Resolution:
    return Resolution("any", **{"inputs": (TABLE,), "outputs": (TOPIC,), **more})  # type: ignore[arg-type]


def findings(
    resolution: Resolution, today: Today, name: str = "c", kafka: str = KAFKA, **config: str
) -> list[tuple[Kind, str]]:
    connector = Connector(name, Direction.UNKNOWN, config, kafka)
    return [(each.kind, each.message) for each in plan_of(connector, resolution, today).findings]


def job(name: str, namespace: str = "kafka-connect://prod") -> Party:
    return Party(name, namespace)


def test_nothing_speaks_against_a_plan_in_an_empty_world() -> None:
    assert findings(lineage(), Today()) == []


def test_who_else_writes_the_same_is_named() -> None:
    today = Today(writers={TOPIC: frozenset({Party("b")}), TABLE: frozenset({job("a")})})
    assert findings(lineage(), today) == [
        (Kind.ALREADY_WRITTEN, "kafka://b1:9092 orders is already written by connector b")
    ]


def test_readers_of_what_will_not_be_written_any_more_are_named() -> None:
    readers = {OLD: frozenset({job("reader", "x")}), TOPIC: frozenset({job("other", "x")})}
    today = Today(written=frozenset({OLD, TOPIC}), readers=readers)
    assert findings(lineage(), today) == [
        (Kind.NO_LONGER_WRITTEN,
         "kafka://b1:9092 old-orders will not be written any more, and job reader of x reads it")
    ]  # fmt: skip
    also = {TOPIC: (Symlink(OLD, "TOPIC"),)}
    assert findings(lineage(symlinks=also), today) == []
    half = findings(lineage(unresolved=("a transform cannot be predicted",)), today)
    assert [kind for kind, _ in half] == [Kind.UNRESOLVED]


def test_a_column_that_goes_away_breaks_those_made_from_it() -> None:
    columns = (ColumnEdge(TOPIC, "id", (ColumnSource(TABLE, "id"),)),)
    other = DatasetName("a", "b")
    current = (
        CurrentColumn(TOPIC, "id", frozenset({TABLE}), ((other, "id"),)),
        CurrentColumn(TOPIC, "price", frozenset({TABLE}), ((other, "total"),)),
        CurrentColumn(TOPIC, "unread", frozenset({TABLE}), ()),
        CurrentColumn(TOPIC, "others", frozenset({OLD}), ((other, "x"),)),
    )
    today = Today(columns=current)
    lost = "orders column price goes away, and a b column total is made from it"
    assert findings(lineage(columns=columns), today) == [
        (Kind.BROKEN_COLUMN, f"kafka://b1:9092 {lost}")
    ]
    assert findings(lineage(), today) == []


def test_names_that_will_make_trouble_are_told() -> None:
    odd = (
        DatasetName(KAFKA, "a.b"), DatasetName(KAFKA, "a_b"), DatasetName(KAFKA, "no spaces"),
        DatasetName("kafka://unknown", "t"), DatasetName(KAFKA, "Orders"),
    )  # fmt: skip
    told = findings(lineage(outputs=odd), Today(writers={TOPIC: frozenset({Party("x")})}), name="")
    assert {kind for kind, _ in told} == {Kind.NAMING}
    text = "\n".join(message for _, message in told)
    for part in (
        "has no name", "a.b and a_b differ in . and _", "'no spaces' is no name", "--kafka",
        "Orders differs in case alone from orders",
    ):  # fmt: skip
        assert part in text
    assert len(told) == 5


def test_a_fact_is_told_once_of_a_connector_its_job_and_its_jobs_per_dataset() -> None:
    writers = frozenset({Party("b"), job("b"), job("b:public.orders"), job("b", "spark")})
    messages = [text for _, text in findings(lineage(), Today(writers={TOPIC: writers}))]
    told = "kafka://b1:9092 orders is already written by job b of"
    assert messages == [f"{told} kafka-connect://prod", f"{told} spark"]
    alone = Today(writers={TOPIC: frozenset({job("b:public.orders")})})
    assert "job b:public.orders of" in findings(lineage(), alone)[0][1]


def test_topics_of_an_unknown_kafka_are_not_missed() -> None:
    readers = {OLD: frozenset({job("reader")}), TABLE: frozenset({job("reader")})}
    today = Today(written=frozenset({OLD, TABLE}), readers=readers)
    unknown = lineage(outputs=(DatasetName("kafka://unknown", "orders"),))
    told = findings(unknown, today, kafka="kafka://unknown")
    assert [kind for kind, _ in told] == [Kind.NO_LONGER_WRITTEN, Kind.NAMING]
    assert TABLE.name in told[0][1]
    assert "compared with none" in told[1][1]


def test_a_topic_beside_one_that_is_one_in_metrics_is_refused_by_brokers() -> None:
    planned = lineage(outputs=(DatasetName(KAFKA, "shop_orders"),))
    there = frozenset({DatasetName(KAFKA, "shop.orders")})
    ((kind, message),) = findings(planned, Today(there=there))
    assert (kind, "shop_orders and shop.orders, which is there" in message) == (Kind.NAMING, True)
    elsewhere = frozenset({DatasetName("kafka://b2:9092", "shop.orders")})
    assert findings(planned, Today(there=elsewhere)) == []
    assert findings(planned, Today(there=there | {planned.outputs[0]})) == []


def test_a_prefix_that_debezium_refuses_is_told() -> None:
    debezium = {"connector.class": "io.debezium.connector.mysql.MySqlConnector"}
    ((kind, message),) = findings(lineage(), Today(), **debezium, **{"topic.prefix": "bad name!"})
    assert kind is Kind.NAMING
    assert "'bad name!': Debezium refuses it" in message
    for fine in ("shop.eu-1_x", "${env:PREFIX}"):
        assert findings(lineage(), Today(), **debezium, **{"topic.prefix": fine}) == []


def test_dead_letters_among_what_another_writes_are_told() -> None:
    control = (ControlTopic(OLD, "dead-letter"),)
    today = Today(writers={OLD: frozenset({Party("b")})})
    assert findings(lineage(control=control), today) == [
        (Kind.ALREADY_WRITTEN,
         "kafka://b1:9092 old-orders, its dead-letter topic, is already written by connector b")
    ]  # fmt: skip


DATASETS = st.sets(st.sampled_from([TOPIC, OLD, TABLE]))


@settings(max_examples=50)
@given(DATASETS, DATASETS, DATASETS)
def test_a_conflict_is_one_of_the_outputs_and_every_one_of_them(
    outputs: set[DatasetName], written_elsewhere: set[DatasetName], written: set[DatasetName]
) -> None:
    writers = {each: frozenset({Party("x")}) for each in written_elsewhere}
    readers = {each: frozenset({job("r")}) for each in written}
    today = Today(writers=writers, written=frozenset(written), readers=readers)
    told = [kind for kind, _ in findings(lineage(outputs=tuple(sorted(outputs))), today)]
    assert told.count(Kind.ALREADY_WRITTEN) == len(outputs & written_elsewhere)
    assert told.count(Kind.NO_LONGER_WRITTEN) == len(written - outputs)
