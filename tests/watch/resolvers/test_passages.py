"""The way of a topic and its fields through the chain, as ``explain`` tells it."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.passages import passages
from mainstem.watch.resolvers.told import chain_as_json
from mainstem.watch.transforms import TRANSFORMS
from watch.resolvers.connectors import connector

SMT = "org.apache.kafka.connect.transforms"
CLASSES = [
    *(name for one in TRANSFORMS for name in one.classes),
    "com.acme.Unknown",
    "no class",
    "",
]
OPTIONS = sorted({option for one in TRANSFORMS for option in one.reads} | {"predicate", "negate"})
ODD = ["", ",", ".", "a", "a,b", "a:b", "a:", ":", "(", ".*", "$1", "${env:X}", "true", "é", "a.b"]
SINK = {"connector.class": "FileStreamSink", "topics": "t.a,t.b", "file": "/f"}
SOURCE = {"connector.class": "FileStreamSource", "topic": "t.a", "file": "/f"}


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(CLASSES), min_size=1, max_size=4),
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(OPTIONS), st.sampled_from(ODD)), max_size=8
    ),
    st.sampled_from(["", "$Key", "$Value"]),
    st.booleans(),
)
def test_any_chain_can_be_followed_as_far_as_it_is_known(
    classes: list[str], options: list[tuple[int, str, str]], side: str, is_sink: bool
) -> None:
    chain = {"transforms": ",".join(f"s{number}" for number in range(len(classes)))}
    for number, name in enumerate(classes):
        chain[f"transforms.s{number}.type"] = name + side
    for number, option, value in options:
        chain[f"transforms.s{number}.{option}"] = value
    config = {**(SINK if is_sink else SOURCE), **chain}
    told = connector("sink" if is_sink else "source", config)
    ways = passages(told, resolve(told))
    assert json.dumps(chain_as_json(ways))
    assert all(len(way) == len(classes) + 1 for way in ways)
    assert ways


def test_a_source_whose_topic_is_not_known_still_shows_its_steps() -> None:
    chain = {
        "transforms": "own,keep",
        "transforms.own.type": "com.acme.Reshape",
        "transforms.keep.type": f"{SMT}.Filter",
    }
    told = connector("source", {**SOURCE, **chain})
    ((start, own, keep),) = chain_as_json(passages(told, resolve(told)))
    assert (start["topic"], own["topic"], keep["topic"]) == (None, None, None)
    assert start["fields"]
    assert own["fields"] is keep["fields"] is None
