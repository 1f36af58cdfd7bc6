"""Trees out of the lists that Spark writes them as."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mainstem.spark.tree import Node, parse, tree

shapes = st.recursive(
    st.tuples(st.text(min_size=1, max_size=3).filter(str.isidentifier), st.just([])),
    lambda below: st.tuples(
        st.text(min_size=1, max_size=3).filter(str.isidentifier), st.lists(below, max_size=3)
    ),
    max_leaves=20,
)


def _in_order(shape: Any) -> list[dict[str, Any]]:
    name, below = shape
    node = {"class": f"org.spark.{name}", "num-children": len(below)}
    return [node, *(each for child in below for each in _in_order(child))]


def _shape(node: Node) -> Any:
    return (node.name, [_shape(child) for child in node.children])


@given(shapes)
def test_a_tree_comes_back_as_it_was_written(shape: Any) -> None:
    assert _shape(tree(_in_order(shape))) == shape


def test_a_plan_of_five_thousand_nodes_needs_no_recursion() -> None:
    chain = [{"class": "a.Project", "num-children": 1}] * 5000
    root = tree([*chain, {"class": "a.Leaf", "num-children": 0}])
    depth = 0
    while root.children:
        (root,) = root.children
        depth += 1
    assert depth == 5000


def test_fields_are_children_by_number_or_trees_of_their_own() -> None:
    node = parse(
        '[{"class": "a.b.Outer$Keep", "num-children": 2, "condition": 1, "output": [1, 0],'
        ' "table": [{"class": "x.Leaf", "num-children": 0}], "kind": {"object": "a.Inner$"}},'
        ' {"class": "x.One", "num-children": 0}, {"class": "x.Two", "num-children": 0}]'
    )
    assert node.name == "Keep"
    condition, table = node.tree("condition"), node.tree("table")
    assert condition is not None
    assert table is not None
    assert (condition.name, table.name) == ("Two", "Leaf")
    assert [each.name for each in node.trees("output")] == ["Two", "One"]
    assert node.object_name("kind") == "Inner"
    assert node.tree("missing") is None
