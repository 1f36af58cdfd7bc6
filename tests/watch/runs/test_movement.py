from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.connect.offsets import Offsets, read_offsets
from mainstem.watch.runs.movement import counted, flow_of, observe
from recorded import recorded

START = datetime(2026, 11, 16, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def sink(**offsets: int) -> Offsets:
    return read_offsets(
        {
            "offsets": [
                {
                    "partition": {"kafka_topic": name[0], "kafka_partition": int(name[1:])},
                    "offset": {"kafka_offset": offset},
                }
                for name, offset in offsets.items()
            ]
        }
    )


def test_a_sink_and_a_mirror_have_rows_and_another_source_has_none() -> None:
    first = read_offsets(recorded("healthy_file-sink_offsets")["body"])
    assert first.committed == {("lines", 0): 10}
    source = read_offsets(recorded("healthy_pg-src_offsets")["body"])
    assert (source.committed, source.empty) == ({}, False)
    mirror = read_offsets(recorded("healthy_mm2_offsets")["body"])
    assert mirror.committed["lines", 0] == 9


def test_rows_are_counted_from_one_event_to_the_next() -> None:
    movement = observe(observe(None, sink(a0=5, a1=1, b0=7), START), sink(a0=8, a1=3, b0=7), START)
    assert flow_of(movement, START, MINUTE).rows == {"a": 5, "b": 0}
    movement = observe(counted(movement), sink(a0=9, a1=3, b0=7), START)
    assert flow_of(movement, START, MINUTE).rows == {"a": 1, "b": 0}


def test_what_would_be_invented_is_not_said() -> None:
    movement = observe(observe(None, sink(a0=5, b0=9), START), sink(a0=6, a1=100, b0=2), START)
    assert flow_of(movement, START, MINUTE).rows == {}
    movement = observe(counted(movement), sink(a0=7, a1=101, b0=3), START)
    assert flow_of(movement, START, MINUTE).rows == {"a": 2, "b": 1}


def test_silence_is_claimed_only_between_two_readings_and_while_they_are_fresh() -> None:
    same = sink(a0=5)
    movement = observe(None, same, START)
    assert flow_of(movement, START + 9 * MINUTE, 10 * MINUTE).quiet_since is None
    movement = observe(movement, same, START + 10 * MINUTE)
    assert flow_of(movement, START + 11 * MINUTE, 10 * MINUTE).quiet_since == START
    assert flow_of(movement, START + 30 * MINUTE, 10 * MINUTE).quiet_since is None
    moved = observe(movement, sink(a0=6), START + 12 * MINUTE)
    assert flow_of(moved, START + 12 * MINUTE, 10 * MINUTE).quiet_since is None


def test_the_first_record_is_seen_only_by_one_who_saw_none_before() -> None:
    nothing, something = read_offsets({"offsets": []}), sink(a0=1)
    seen = observe(observe(None, nothing, START), something, START + MINUTE)
    assert flow_of(seen, START, MINUTE).first_record == START + MINUTE
    assert flow_of(observe(None, something, START), START, MINUTE).first_record is None


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=20))
def test_rows_told_over_a_run_are_the_whole_way(steps: list[tuple[int, bool]]) -> None:
    offsets = [sum(step for step, _ in steps[: end + 1]) for end in range(len(steps))]
    movement = observe(None, sink(a0=offsets[0]), START)
    total = 0
    for (_, tell), (_, offset) in zip(steps[1:], pairwise(offsets), strict=True):
        movement = observe(movement, sink(a0=offset), START)
        if tell:
            total += flow_of(movement, START, MINUTE).rows["a"]
            movement = counted(movement)
    total += flow_of(movement, START, MINUTE).rows["a"]
    assert total == offsets[-1] - offsets[0]


@given(
    st.recursive(
        # what the JSON reader gives: it makes floats of larger integers
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(),
        lambda each: st.lists(each) | st.dictionaries(st.text(), each),
        max_leaves=10,
    )
)
@settings(max_examples=60)
def test_no_answer_is_too_odd_to_read(odd: object) -> None:
    if isinstance(odd, dict):
        read_offsets(odd)
    assert read_offsets({"offsets": [odd]}).committed == {}
