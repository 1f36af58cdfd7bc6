"""What each node of a plan does to the columns and rows that its children give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.spark import generators
from mainstem.spark.expressions import decision, value_of
from mainstem.spark.leaves import leaf_rows
from mainstem.spark.row_changes import merge_rows
from mainstem.spark.scope import Column, Rows, Scope
from mainstem.spark.values import UNKNOWN, deciding, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mainstem.spark.lineage import Subtype
    from mainstem.spark.tree import Node
    from mainstem.spark.values import Flow

ROUNDS = 10
"""A recursive query is followed until nothing new is found, and at most this often."""


def rows_of(node: Node, scope: Scope) -> Rows:
    """What the node gives, and all below it."""
    rule = _RULES.get(node.name)
    if rule is not None:
        return rule(node, scope)
    if not node.children:
        return leaf_rows(node, scope)
    return _opaque(node, scope)


def named(expressions: Iterable[Node], scope: Scope) -> list[Column]:
    """The columns that a list of aliases and attributes stands for."""
    return [Column(each.id, each.text("name"), value_of(each, scope)) for each in expressions]


def _below(node: Node, scope: Scope) -> tuple[Rows, Scope]:
    rows = rows_of(node.children[0], scope)
    return rows, scope.within([rows])


def _decisions(expressions: Iterable[Node], scope: Scope, subtype: Subtype) -> frozenset[Flow]:
    return frozenset().union(*(decision(each, scope, subtype) for each in expressions))


def _same(node: Node, scope: Scope) -> Rows:
    return rows_of(node.children[0], scope)


def _project(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    columns = named(node.trees("projectList"), inner)
    return Rows(columns, rows.decided | inner.decided)


def _filter(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    condition = _condition(node, inner, "FILTER")
    return rows.but(condition, frozenset(inner.decided))


def _condition(node: Node, scope: Scope, subtype: Subtype) -> frozenset[Flow]:
    condition = node.tree("condition")
    return decision(condition, scope, subtype) if condition else frozenset()


def _aggregate(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    groups = _decisions(node.trees("groupingExpressions"), inner, "GROUP_BY")
    columns = named(node.trees("aggregateExpressions"), inner)
    return Rows(columns, rows.decided | groups | inner.decided)


def _join(node: Node, scope: Scope) -> Rows:
    left, right = (rows_of(child, scope) for child in node.children)
    inner = scope.within([left, right])
    condition = _condition(node, inner, "JOIN")
    columns = _joined(node, left, right)
    return Rows(columns, left.decided | right.decided | condition | inner.decided)


def _joined(node: Node, left: Rows, right: Rows) -> Sequence[Column]:
    kind = node.object_name("joinType")
    if kind in ("LeftSemi", "LeftAnti"):
        return left.columns
    if kind == "ExistenceJoin":
        return left.columns
    return [*left.columns, *right.columns]


def _as_of_join(node: Node, scope: Scope) -> Rows:
    left, right = (rows_of(child, scope) for child in node.children)
    inner = scope.within([left, right])
    fields = ("asOfCondition", "condition", "orderExpression")
    conditions = [found for found in map(node.tree, fields) if found]
    decided = _decisions(conditions, inner, "JOIN")
    return Rows(_joined(node, left, right), left.decided | right.decided | decided)


def _lateral_join(node: Node, scope: Scope) -> Rows:
    left, around = _below(node, scope)
    lateral = node.tree("right")
    plan = lateral.tree("plan") if lateral else None
    right = around.rows_of_subquery(plan) if plan else Rows()
    inner = scope.within([left, right])
    condition = _condition(node, inner, "JOIN")
    columns = _joined(node, left, right)
    return Rows(columns, left.decided | right.decided | condition | around.decided)


def _union(node: Node, scope: Scope) -> Rows:
    return _united([rows_of(child, scope) for child in node.children])


def _united(parts: Sequence[Rows]) -> Rows:
    columns = [
        # The columns of a union are the first child's, with its ids.
        each[0]._replace(value=merged(column.value for column in each))
        for each in zip(*(part.columns for part in parts), strict=False)
    ]
    return Rows(columns, frozenset().union(*(part.decided for part in parts)))


def _rows_in_both(node: Node, scope: Scope) -> Rows:
    left, right = (rows_of(child, scope) for child in node.children)
    compared = merged(column.value for side in (left, right) for column in side.columns)
    return left.but(right.decided, deciding(compared, "FILTER"))


def _distinct(node: Node, scope: Scope) -> Rows:
    rows = _same(node, scope)
    return rows.but(deciding(merged(column.value for column in rows.columns), "GROUP_BY"))


def _deduplicate(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    return rows.but(_decisions(node.trees("keys"), inner, "GROUP_BY"))


def _sort(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    return rows.but(_decisions(node.trees("order"), inner, "SORT"))


def _window(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    return Rows([*rows.columns, *named(node.trees("windowExpressions"), inner)], rows.decided)


def _expand(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    choices = [
        [value_of(each, inner) for each in node_list] for node_list in generators.projections(node)
    ]
    columns = [
        Column(each.id, each.text("name"), merged(choice[at] for choice in choices))
        for at, each in enumerate(node.trees("output"))
    ]
    return Rows(columns, rows.decided)


def _generate(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    dropped = set(node.fields.get("unrequiredChildIndex") or [])
    kept = [column for at, column in enumerate(rows.columns) if at not in dropped]
    return Rows([*kept, *generators.generated(node, inner)], rows.decided | inner.decided)


def _with_ctes(node: Node, scope: Scope) -> Rows:
    shared = scope.reading.shared
    rows = Rows()
    for child in node.children:
        rows = rows_of(child, scope)
        if child.name == "CTERelationDef":
            shared[child.fields["id"]] = rows
    return rows


def _reference_to_cte(node: Node, scope: Scope) -> Rows:
    number = node.fields.get("cteId", node.fields.get("loopId"))
    known = scope.reading.shared.get(number) if isinstance(number, int) else None
    output = node.trees("output")
    if known is None:
        return Rows([Column(each.id, each.text("name"), UNKNOWN) for each in output])
    columns = [
        Column(each.id, each.text("name"), column.value)
        for each, column in zip(output, known.columns, strict=False)
    ]
    return Rows(columns, known.decided)


def _recursive_union(node: Node, scope: Scope) -> Rows:
    anchor, recursion = node.children
    number = node.fields["id"]
    rows = _renumbered(node, rows_of(anchor, scope))
    for _ in range(ROUNDS):
        scope.reading.shared[number] = rows
        more = _united([rows, rows_of(recursion, scope)])
        if more == rows:
            break
        rows = more
    return rows


def _renumbered(node: Node, rows: Rows) -> Rows:
    ids = node.fields["outputAttrIds"]
    columns = [
        column._replace(id=each["id"]) for each, column in zip(ids, rows.columns, strict=True)
    ]
    return Rows(columns, rows.decided)


def _merge_rows(node: Node, scope: Scope) -> Rows:
    rows, inner = _below(node, scope)
    return merge_rows(node, rows, inner)


def _opaque(node: Node, scope: Scope) -> Rows:
    """A node of which nothing is known: what went in went in, what comes out is unknown."""
    scope.reading.opaque[node.name] = None
    inside = [rows_of(child, scope) for child in node.children]
    output = node.trees("output") or node.trees("outAttributes") or node.trees("outputAttrs")
    columns = [Column(each.id, each.text("name"), UNKNOWN) for each in output]
    return Rows(columns, frozenset().union(*(rows.decided for rows in inside)))


_SAME_COLUMNS = (
    "CTERelationDef",
    "CollectMetrics",
    "EventTimeWatermark",
    "GlobalLimit",
    "LocalLimit",
    "Offset",
    "RebalancePartitions",
    "Repartition",
    "RepartitionByExpression",
    "ResolvedHint",
    "ReturnAnswer",
    "Sample",
    "SubqueryAlias",
    "Tail",
    "UpdateEventTimeWatermarkColumn",
    "View",
)

_RULES: Mapping[str, Callable[[Node, Scope], Rows]] = {
    **dict.fromkeys(_SAME_COLUMNS, _same),
    "Aggregate": _aggregate,
    "AsOfJoin": _as_of_join,
    "CTERelationRef": _reference_to_cte,
    "Deduplicate": _deduplicate,
    "DeduplicateWithinWatermark": _deduplicate,
    "Distinct": _distinct,
    "Except": _rows_in_both,
    "Expand": _expand,
    "Filter": _filter,
    "Generate": _generate,
    "Intersect": _rows_in_both,
    "Join": _join,
    "LateralJoin": _lateral_join,
    "MergeRows": _merge_rows,
    "Project": _project,
    "Sort": _sort,
    "Union": _union,
    "UnionLoop": _recursive_union,
    "UnionLoopRef": _reference_to_cte,
    "Window": _window,
    "WithCTE": _with_ctes,
}
