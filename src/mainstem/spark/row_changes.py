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
    """The columns that a MERGE assigns, of all instructions that write."""
    written = list(_written(node))
    columns: list[Column] = []
    for at, attribute in enumerate(node.trees("output")):
        assigned = [
            decided_by(value, decision(condition, scope, "CONDITIONAL"))
            for condition, output in written
            if not _stays(value := value_of(output[at], scope), attribute, scope)
        ]
        if assigned:
            columns.append(Column(attribute.id, attribute.text("name"), merged(assigned)))
    deletes = [
        decision(condition, scope, "CONDITIONAL")
        for instruction in _all(node)
        if _deletes(instruction) and (condition := instruction.tree("condition"))
    ]
    return Rows(columns, rows.decided.union(*deletes))


def _stays(value: Value, attribute: Node, scope: Scope) -> bool:
    """Whether a clause leaves the column alone, so that its condition says nothing about it."""
    return bool(value.flows) and all(
        flow.dataset in scope.reading.targets
        and flow.path == (attribute.text("name"),)
        and flow.subtype == "IDENTITY"
        for flow in value.flows
    )


def _deletes(instruction: Node) -> bool:
    return instruction.name == "Discard" or instruction.object_name("context") == "Delete"


def _all(node: Node) -> Iterator[Node]:
    for field in _INSTRUCTIONS:
        yield from node.trees(field)


def _written(node: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    for instruction in _all(node):
        condition = instruction.tree("condition")
        # Rows that are copied because their file is written anew stay what they were.
        if condition is None or instruction.object_name("context") in ("Copy", "Delete"):
            continue
        # An update may be split into a row to delete and a row to insert, which comes second.
        output = instruction.trees("otherOutput") or instruction.trees("output")
        if output:
            yield condition, output
