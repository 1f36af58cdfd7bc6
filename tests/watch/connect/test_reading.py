"""Look after look is read as if each were the first, and what did not change is the same object."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import orjson
from hypothesis import given, settings

from mainstem.watch.connect.reading import SnapshotReader
from mainstem.watch.connect.redaction import AllowedKeys

ALLOWED = AllowedKeys(["topics"])


def entry(topics: str, state: str) -> dict[str, Any]:
    config = {"connector.class": "Sink", "topics": topics, "password": "s3cret"}
    return {
        "info": {"config": config, "tasks": [], "type": "sink"},
        "status": {"connector": {"state": state, "worker_id": "w"}, "tasks": []},
    }


entries = st.builds(entry, st.sampled_from(["a", "b"]), st.sampled_from(["RUNNING", "PAUSED"]))
broken = st.just({"info": {"config": None}})
clusters = st.dictionaries(st.sampled_from(["one", "two", "three"]), entries | broken)


@settings(max_examples=60)
@given(st.lists(clusters, min_size=2, max_size=6))
def test_a_reader_with_a_memory_sees_what_one_without_sees(looks: list[dict[str, Any]]) -> None:
    reader = SnapshotReader(ALLOWED)
    last: tuple[dict[str, Any], Any] = ({}, None)
    for look in looks:
        snapshot = reader.read(orjson.dumps(look))
        assert snapshot == SnapshotReader(ALLOWED).read(orjson.dumps(look))
        for name in (each for each in snapshot.connectors if last[0].get(each) == look[each]):
            assert snapshot.connectors[name] is last[1].connectors[name]
        last = (look, snapshot)


def test_a_snapshot_that_somebody_holds_does_not_change_with_the_next_look() -> None:
    reader = SnapshotReader(ALLOWED)
    first = reader.read(orjson.dumps({"one": entry("a", "RUNNING")}))
    reader.read(orjson.dumps({"two": entry("b", "PAUSED")}))
    assert list(first.connectors) == ["one"]
