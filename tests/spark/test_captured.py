"""What is copied out of the JVM: nothing but what names a place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mainstem.spark.captured import (
    READ_OPTIONS,
    CapturedPlan,
    Catalog,
    Place,
    from_json,
    to_json,
    with_topics,
)
from mainstem.spark.places import allow_listed

words = st.text(max_size=8)
places = st.builds(
    Place,
    words,
    st.tuples(words),
    st.lists(words, max_size=2).map(tuple),
    st.none() | st.builds(Catalog, words, st.dictionaries(words, words, max_size=2)),
    st.dictionaries(words, words, max_size=2),
)
plans = st.builds(
    CapturedPlan,
    words,
    st.dictionaries(st.integers(0, 99), places, max_size=2),
    st.none() | places,
    st.none() | words,
    st.none() | words,
)


@given(plans)
def test_a_captured_plan_comes_back_as_it_was(captured: CapturedPlan) -> None:
    assert from_json(to_json(captured)) == captured


@given(st.dictionaries(words | st.sampled_from(["Path", "kafka.sasl.jaas.config"]), words))
def test_only_allow_listed_options_are_copied(options: dict[str, str]) -> None:
    copied = allow_listed(options)
    assert set(copied) <= READ_OPTIONS
    assert all(copied[key.lower()] is not None for key in options if key.lower() in READ_OPTIONS)


def test_passwords_are_neither_copied_nor_printed() -> None:
    secrets = {"password": "hunter2", "kafka.sasl.jaas.config": "hunter2", "user": "hunter2"}
    assert allow_listed({**secrets, "topic": "t"}) == {"topic": "t"}
    url = Place("JDBCRelation", options={"url": "jdbc:postgresql://u:hunter2@h/d"})
    plan = CapturedPlan("where token = 'hunter2'", {1: url}, url, "Append", "hunter2")
    assert "hunter2" not in repr(plan)


def test_only_a_pattern_is_replaced_by_the_topics_seen() -> None:
    leaves = {
        1: Place("KafkaTable", options={"subscribepattern": "a.*"}),
        2: Place("KafkaTable", options={"subscribe": "b"}),
    }
    seen = with_topics(CapturedPlan("[]", leaves), ["a2", "a1"])
    assert [place.options.get("subscribe") for place in seen.leaves.values()] == ["a1,a2", "b"]
