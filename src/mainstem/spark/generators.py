"""Nodes that make several rows of one: ``explode`` and its like, and Spark's own ``Expand``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.spark import values
from mainstem.spark.expressions import value_of
from mainstem.spark.scope import Column
from mainstem.spark.tree import tree
from mainstem.spark.values import Value, changed, merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.spark.scope import Scope
    from mainstem.spark.tree import Node


def projections(node: Node) -> list[list[Node]]:
    """The rows that an ``Expand`` makes of one, each as its expressions."""
    return [[tree(each) for each in row] for row in node.fields["projections"]]


def generated(node: Node, scope: Scope) -> list[Column]:
    """The columns that a ``Generate`` adds."""
    output = node.trees("generatorOutput")
    generator = node.tree("generator")
    found = _values(generator, output, scope) if generator else [values.UNKNOWN] * len(output)
    return [
        Column(each.id, each.text("name"), value) for each, value in zip(output, found, strict=True)
    ]


def _values(generator: Node, output: Sequence[Node], scope: Scope) -> list[Value]:
    arguments = [value_of(child, scope) for child in generator.children]
    every = merged(arguments)
    match generator.name:
        case "Explode" if len(output) == 1:
            return [values.picked(every, "TRANSFORMATION")]
        case "PosExplode" if len(output) == 2:  # noqa: PLR2004, position and element
            return [changed(every, "TRANSFORMATION"), values.picked(every, "TRANSFORMATION")]
        case "Inline":
            element = values.picked(every, "TRANSFORMATION")
            return [values.part_at(element, at) for at in range(len(output))]
        case "JsonTuple":
            decoded = values.decoded(arguments[0], None)
            names = [child.text("value") for child in generator.children[1:]]
            return [values.part_of(decoded, name) for name in names]
        case "Stack":
            return _stacked(arguments[1:], len(output))
        case _:
            return [changed(every, "TRANSFORMATION")] * len(output)


def _stacked(arguments: Sequence[Value], width: int) -> list[Value]:
    return [merged(arguments[at::width]) for at in range(width)]
