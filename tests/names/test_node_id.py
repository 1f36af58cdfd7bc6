from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mainstem.errors import BadNodeId
from mainstem.names.node_id import NodeId, NodeKind, parse_node_id

part = st.text(max_size=12) | st.text(alphabet=":/#%19a.", max_size=12)
nodes = st.one_of(
    st.builds(NodeId, st.just(NodeKind.DATASET), st.tuples(part, part)),
    st.builds(NodeId, st.just(NodeKind.JOB), st.tuples(part, part), st.none() | part),
    st.builds(NodeId, st.just(NodeKind.DATASET_FIELD), st.tuples(part, part, part), st.none()),
    st.builds(NodeId, st.just(NodeKind.RUN), st.tuples(part)),
)


@settings(max_examples=200, deadline=None)
@given(nodes)
@example(NodeId(NodeKind.DATASET, ("kafka://b:9092", "2024-orders")))
@example(NodeId(NodeKind.DATASET, ("", "")))
@example(NodeId(NodeKind.JOB, ("a:", "//b"), "v#1"))
def test_any_name_round_trips(node: NodeId) -> None:
    assert parse_node_id(str(node)) == node


def test_common_names_are_spelt_as_marquez_spells_them() -> None:
    node = NodeId(NodeKind.DATASET_FIELD, ("postgres://db:5432", "shop.public.orders", "price"))
    assert str(node) == "datasetField:postgres://db:5432:shop.public.orders:price"


def test_a_percent_encoded_namespace_is_read() -> None:
    node = parse_node_id("dataset:postgres%3A%2F%2Ffood%3A5432:t")
    assert node.parts == ("postgres://food:5432", "t")


def test_colons_that_a_client_did_not_escape_belong_to_the_name() -> None:
    assert parse_node_id("job:kafka-connect://prod:sink:orders").parts[1] == "sink:orders"
    field = parse_node_id("datasetField:pubsub:topic:project:orders:price")
    assert field.parts == ("pubsub", "topic:project:orders", "price")


def test_a_name_that_begins_with_a_digit_need_not_be_escaped() -> None:
    assert parse_node_id("dataset:postgres://food:5432:2024").parts[1] == "2024"
    assert parse_node_id("job:etl:1st").parts == ("etl", "1st")


@pytest.mark.parametrize(
    "text",
    ["", "dataset", "dataset:a", "dataset:kafka://b", "table:a:b", "run:a:b", "datasetField:a:b"],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(BadNodeId):
        parse_node_id(text)
