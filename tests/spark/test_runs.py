"""A run's events, whatever happens to it: one START, one end, times in order, nothing lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mainstem.spark import runs
from mainstem.spark.lineage import Dataset, DatasetKey, QueryLineage, Source
from mainstem.spark.picture import picture_of
from mainstem.spark.progress import Activity, Progress, SourceProgress
from mainstem.spark.runs import MOST_PARTS, Identity, Kind, OpenRun, Telling

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
IDENTITY = Identity("r", "app.q", Kind.STREAM)

datasets = st.builds(Dataset, st.just("kafka://b:9092"), st.sampled_from("abcde"))
parts = st.builds(
    lambda inputs, outputs, mode: QueryLineage(inputs, outputs, mode=mode),
    inputs=st.lists(datasets, max_size=3).map(tuple),
    outputs=st.lists(datasets, max_size=2).map(tuple),
    mode=st.sampled_from(["append", "overwrite", None]),
)
clocks = st.lists(st.integers(-3600, 3600), min_size=1, max_size=20)


@given(clocks, st.sampled_from([Telling.COMPLETE, Telling.ABORT, Telling.FAIL]))
def test_times_never_go_back_even_if_the_clock_does(seconds: list[int], last: Telling) -> None:
    run = OpenRun(IDENTITY, told=NOON)
    said = [runs.start(run)]
    for offset in seconds:
        run, statement = runs.go_on(run, NOON + timedelta(seconds=offset))
        said.append(statement)
    said.append(runs.end(run, last, NOON))
    times = [statement.time for statement in said]
    assert times == sorted(set(times))
    assert [said[0].telling, said[-1].telling] == [Telling.START, last]


@given(st.lists(parts, max_size=8))
def test_a_part_told_again_changes_nothing(told: list[QueryLineage]) -> None:
    run = OpenRun(IDENTITY, told=NOON)
    for part in told:
        run = runs.with_part(run, part)
    again = run
    for part in told:
        again = runs.with_part(again, part)
    assert again == run


@given(st.lists(parts, max_size=8))
def test_a_picture_has_every_edge_of_its_parts_and_no_other(told: list[QueryLineage]) -> None:
    picture = picture_of(told)
    edges = {(one.key, out.key) for part in told for one in part.inputs for out in part.outputs}
    drawn = {(read, out) for out, inputs in picture.edges.items() for read in inputs}
    assert drawn == edges
    assert {one.key for one in picture.inputs} == {one.key for p in told for one in p.inputs}
    assert {one.key for one in picture.outputs} == {one.key for p in told for one in p.outputs}


def test_two_writes_of_one_column_are_made_from_both() -> None:
    key, out = DatasetKey("n", "a"), Dataset("n", "out")
    first, second = (Source(key, field, "DIRECT", "IDENTITY") for field in "xy")
    told = [
        QueryLineage((Dataset("n", "a"),), (out,), columns={out.key: {"c": (source,)}})
        for source in (first, second)
    ]
    assert picture_of(told).columns[out.key]["c"] == (first, second)


def test_writes_without_end_are_bounded_and_said() -> None:
    run = OpenRun(IDENTITY, told=NOON)
    for number in range(MOST_PARTS + 5):
        run = runs.with_part(run, QueryLineage((), (Dataset("file", f"/{number}"),)))
    assert len(run.parts) == MOST_PARTS
    assert len(run.notes) == 1


def test_a_sign_of_life_is_due_after_the_heartbeat() -> None:
    run = OpenRun(IDENTITY, told=NOON)
    beat = timedelta(seconds=10)
    assert not runs.is_due(run, NOON + timedelta(seconds=9), beat)
    assert runs.is_due(run, NOON + timedelta(seconds=10), beat)


counts = st.lists(st.tuples(st.integers(0, 9), st.none() | st.integers(0, 9)), max_size=9)


@given(counts)
def test_rows_add_up_and_an_unknown_count_stays_unknown(
    batches: list[tuple[int, int | None]],
) -> None:
    activity = Activity()
    for number, (read, written) in enumerate(batches):
        source = SourceProgress(read, offsets={"t": {"0": number}})
        activity = activity.after(Progress("r", number, written, (source,), None))
    assert activity.batches == len(batches)
    written = [count for _, count in batches]
    known = [count for count in written if count is not None]
    assert activity.output_rows == (sum(known) if known and len(known) == len(written) else None)
    if batches:
        assert activity.sources[0].rows == sum(read for read, _ in batches)
        assert activity.sources[0].offsets == {"t": {"0": len(batches) - 1}}
