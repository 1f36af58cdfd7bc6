"""MERGE as Spark rewrites it: instructions for rows that match, do not match, or are left over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.spark.expressions import decision, value_of
from mainstem.spark.scope import Column, Rows
from mainstem.spark.values import decided_by, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.spark.scope import Scope
    from mainstem.spark.tree import Node
    from mainstem.spark.values import Value

_INSTRUCTIONS = ("matchedInstructions", "notMatchedInstructions", "notMatchedBySourceInstructions")


def merge_rows(node: Node, rows: Rows, scope: Scope) -> Rows:
    """The columns that a MERGE writes, of all instructions that write."""
    written = list(_written(node))
    columns = [
        Column(
            attribute.id,
            attribute.text("name"),
            merged(
                _assigned(output[at], attribute, condition, scope) for condition, output in written
            ),
        )
        for at, attribute in enumerate(node.trees("output"))
    ]
    discards = [
        decision(found, scope, "CONDITIONAL")
        for instruction in _all(node)
        if instruction.name == "Discard" and (found := instruction.tree("condition"))
    ]
    return Rows(columns, rows.decided.union(*discards))


def _assigned(expression: Node, to: Node, condition: Node, scope: Scope) -> Value:
    value = value_of(expression, scope)
    own = [flow for flow in value.flows if flow.dataset in scope.reading.targets]
    if len(value.flows) == 1 and own and own[0].path == (to.text("name"),):
        # The clause leaves this column alone, so its condition says nothing about it.
        return value
    return decided_by(value, decision(condition, scope, "CONDITIONAL"))


def _all(node: Node) -> Iterator[Node]:
    for field in _INSTRUCTIONS:
        yield from node.trees(field)


def _written(node: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    for instruction in _all(node):
        condition = instruction.tree("condition")
        # Rows that are copied because their file is written anew stay what they were.
        if condition is None or instruction.object_name("context") == "Copy":
            continue
        for field in ("output", "otherOutput"):
            output = instruction.trees(field)
            if output:
                yield condition, output
