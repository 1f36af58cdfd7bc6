"""What speaks against a planned connector, and what does not."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.watch.preview.planning import CurrentColumn, Kind, Today, plan_of
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Resolution

KAFKA = "kafka://b1:9092"
TABLE = DatasetName("postgres://db:5432", "shop.public.orders")
TOPIC = DatasetName(KAFKA, "orders")
OLD = DatasetName(KAFKA, "old-orders")


def lineage(**more: object) -> Resolution:
    return Resolution("any", **{"inputs": (TABLE,), "outputs": (TOPIC,), **more})  # type: ignore[arg-type]


def findings(resolution: Resolution, today: Today, name: str = "c") -> list[tuple[Kind, str]]:
    return [(each.kind, each.message) for each in plan_of(name, resolution, today).findings]


def test_nothing_speaks_against_a_plan_in_an_empty_world() -> None:
    assert findings(lineage(), Today()) == []


def test_who_else_writes_the_same_is_named() -> None:
    today = Today(writers={TOPIC: frozenset({"connector b"}), TABLE: frozenset({"job a"})})
    assert findings(lineage(), today) == [
        (Kind.ALREADY_WRITTEN, "kafka://b1:9092 orders is already written by connector b")
    ]


def test_readers_of_what_will_not_be_written_any_more_are_named() -> None:
    readers = {OLD: frozenset({"job:x:reader"}), TOPIC: frozenset({"job:x:other"})}
    today = Today(written=frozenset({OLD, TOPIC}), readers=readers)
    assert findings(lineage(), today) == [
        (Kind.NO_LONGER_WRITTEN,
         "kafka://b1:9092 old-orders will not be written any more, and job:x:reader reads it")
    ]  # fmt: skip
    half = findings(lineage(unresolved=("a transform cannot be predicted",)), today)
    assert [kind for kind, _ in half] == [Kind.UNRESOLVED]


def test_a_column_that_goes_away_breaks_those_made_from_it() -> None:
    columns = (ColumnEdge(TOPIC, "id", (ColumnSource(TABLE, "id"),)),)
    current = (
        CurrentColumn(TOPIC, "id", frozenset({TABLE}), ("datasetField:a:b:id",)),
        CurrentColumn(TOPIC, "price", frozenset({TABLE}), ("datasetField:a:b:total",)),
        CurrentColumn(TOPIC, "unread", frozenset({TABLE}), ()),
        CurrentColumn(TOPIC, "others", frozenset({OLD}), ("datasetField:a:b:x",)),
    )
    today = Today(columns=current)
    lost = "orders column price goes away, and datasetField:a:b:total is made from it"
    assert findings(lineage(columns=columns), today) == [
        (Kind.BROKEN_COLUMN, f"kafka://b1:9092 {lost}")
    ]
    assert findings(lineage(), today) == []


def test_names_that_will_make_trouble_are_told() -> None:
    odd = (
        DatasetName(KAFKA, "a.b"), DatasetName(KAFKA, "a_b"), DatasetName(KAFKA, "no spaces"),
        DatasetName(KAFKA, "${env:T}"), DatasetName("kafka://unknown", "t"),
        DatasetName(KAFKA, "Orders"),
    )  # fmt: skip
    told = findings(lineage(outputs=odd), Today(writers={TOPIC: frozenset({"x"})}), name="")
    assert {kind for kind, _ in told} == {Kind.NAMING}
    text = "\n".join(message for _, message in told)
    for part in (
        "has no name", "a.b and a_b are one", "'no spaces' is no name", "placeholder", "--kafka",
        "Orders differs in case alone from orders",
    ):  # fmt: skip
        assert part in text
    assert len(told) == 6


DATASETS = st.sets(st.sampled_from([TOPIC, OLD, TABLE]))


@settings(max_examples=50)
@given(DATASETS, DATASETS, DATASETS)
def test_a_conflict_is_one_of_the_outputs_and_every_one_of_them(
    outputs: set[DatasetName], written_elsewhere: set[DatasetName], written: set[DatasetName]
) -> None:
    writers = {each: frozenset({"x"}) for each in written_elsewhere}
    readers = {each: frozenset({"r"}) for each in written}
    today = Today(writers=writers, written=frozenset(written), readers=readers)
    told = [kind for kind, _ in findings(lineage(outputs=tuple(sorted(outputs))), today)]
    assert told.count(Kind.ALREADY_WRITTEN) == len(outputs & written_elsewhere)
    assert told.count(Kind.NO_LONGER_WRITTEN) == len(written - outputs)
