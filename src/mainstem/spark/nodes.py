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


def rows_of(plan: Node, scope: Scope) -> Rows:
    """What a plan gives."""
    # Without recursion: a loop of withColumn makes a plan of many hundred levels.
    given: list[Rows] = []
    waiting = [(plan, False)]
    while waiting:
        node, children_gave = waiting.pop()
        if node.name == "UnionLoop":
            given.append(_recursive_union(node, scope))
        elif children_gave or not node.children:
            first = len(given) - len(node.children)
            below, given[first:] = given[first:], []
            given.append(_given(node, below, scope))
        else:
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(node.children))
    return given[0]


def _given(node: Node, below: list[Rows], scope: Scope) -> Rows:
    """What one node gives, given what those below it give."""
    rule = _RULES.get(node.name)
    if rule is not None:
        return rule(node, below, scope.within(below))
    return _opaque(node, below, scope) if below else leaf_rows(node, scope)


def named(expressions: Iterable[Node], scope: Scope) -> list[Column]:
    """The columns that a list of aliases and attributes stands for."""
    return [Column(each.id, each.text("name"), value_of(each, scope)) for each in expressions]


def _decisions(expressions: Iterable[Node], scope: Scope, subtype: Subtype) -> frozenset[Flow]:
    return frozenset().union(*(decision(each, scope, subtype) for each in expressions))


def _condition(node: Node, scope: Scope, subtype: Subtype) -> frozenset[Flow]:
    condition = node.tree("condition")
    return decision(condition, scope, subtype) if condition else frozenset()


def _same(_node: Node, below: list[Rows], _scope: Scope) -> Rows:
    return below[0]


def _project(node: Node, below: list[Rows], scope: Scope) -> Rows:
    columns = named(node.trees("projectList"), scope)
    return Rows(columns, below[0].decided | scope.decided)


def _filter(node: Node, below: list[Rows], scope: Scope) -> Rows:
    condition = _condition(node, scope, "FILTER")
    return below[0].but(condition, frozenset(scope.decided))


def _aggregate(node: Node, below: list[Rows], scope: Scope) -> Rows:
    groups = _decisions(node.trees("groupingExpressions"), scope, "GROUP_BY")
    columns = named(node.trees("aggregateExpressions"), scope)
    return Rows(columns, below[0].decided | groups | scope.decided)


def _join(node: Node, below: list[Rows], scope: Scope) -> Rows:
    left, right = below
    condition = _condition(node, scope, "JOIN")
    columns = _joined(node, left, right)
    return Rows(columns, left.decided | right.decided | condition | scope.decided)


def _joined(node: Node, left: Rows, right: Rows) -> Sequence[Column]:
    kept = node.object_name("joinType") in ("LeftSemi", "LeftAnti")
    return left.columns if kept else [*left.columns, *right.columns]


def _as_of_join(node: Node, below: list[Rows], scope: Scope) -> Rows:
    left, right = below
    fields = ("asOfCondition", "condition", "orderExpression")
    conditions = [found for found in map(node.tree, fields) if found]
    decided = _decisions(conditions, scope, "JOIN")
    return Rows(_joined(node, left, right), left.decided | right.decided | decided)


def _lateral_join(node: Node, below: list[Rows], scope: Scope) -> Rows:
    (left,) = below
    lateral = node.tree("right")
    plan = lateral.tree("plan") if lateral else None
    right = scope.rows_of_subquery(plan) if plan else Rows()
    condition = _condition(node, scope.within([left, right]), "JOIN")
    columns = _joined(node, left, right)
    return Rows(columns, left.decided | right.decided | condition | scope.decided)


def _union(_node: Node, below: list[Rows], _scope: Scope) -> Rows:
    return _united(below)


def _united(parts: Sequence[Rows]) -> Rows:
    columns = [
        # The columns of a union are the first child's, with its ids.
        each[0]._replace(value=merged(column.value for column in each))
        for each in zip(*(part.columns for part in parts), strict=False)
    ]
    return Rows(columns, frozenset().union(*(part.decided for part in parts)))


def _rows_in_both(_node: Node, below: list[Rows], _scope: Scope) -> Rows:
    left, right = below
    compared = merged(column.value for side in below for column in side.columns)
    return left.but(right.decided, deciding(compared, "FILTER"))


def _distinct(_node: Node, below: list[Rows], _scope: Scope) -> Rows:
    every = merged(column.value for column in below[0].columns)
    return below[0].but(deciding(every, "GROUP_BY"))


def _deduplicate(node: Node, below: list[Rows], scope: Scope) -> Rows:
    return below[0].but(_decisions(node.trees("keys"), scope, "GROUP_BY"))


def _sort(node: Node, below: list[Rows], scope: Scope) -> Rows:
    return below[0].but(_decisions(node.trees("order"), scope, "SORT"))


def _window(node: Node, below: list[Rows], scope: Scope) -> Rows:
    columns = [*below[0].columns, *named(node.trees("windowExpressions"), scope)]
    return Rows(columns, below[0].decided)


def _expand(node: Node, below: list[Rows], scope: Scope) -> Rows:
    if node.fields["projections"] is None:
        return _expand_unseen(node, below, scope)
    choices = [[value_of(each, scope) for each in row] for row in generators.projections(node)]
    columns = [
        Column(each.id, each.text("name"), merged(choice[at] for choice in choices))
        for at, each in enumerate(node.trees("output"))
    ]
    return Rows(columns, below[0].decided)


def _expand_unseen(node: Node, below: list[Rows], scope: Scope) -> Rows:
    """Of an ``unpivot`` Spark's text leaves out how its rows are made; its own keys stay."""
    scope.reading.opaque[node.name] = None
    kept = {column.id: column.value for column in below[0].columns}
    columns = [
        Column(each.id, each.text("name"), kept.get(each.id, UNKNOWN))
        for each in node.trees("output")
    ]
    return Rows(columns, below[0].decided)


def _generate(node: Node, below: list[Rows], scope: Scope) -> Rows:
    dropped = set(node.fields.get("unrequiredChildIndex") or [])
    kept = [column for at, column in enumerate(below[0].columns) if at not in dropped]
    columns = [*kept, *generators.generated(node, scope)]
    return Rows(columns, below[0].decided | scope.decided)


def _cte(node: Node, below: list[Rows], scope: Scope) -> Rows:
    scope.reading.shared[node.fields["id"]] = below[0]
    return below[0]


def _with_ctes(_node: Node, below: list[Rows], _scope: Scope) -> Rows:
    # The definitions come first, the query itself is last.
    return below[-1]


def _reference_to_cte(node: Node, _below: list[Rows], scope: Scope) -> Rows:
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
    rows = _renumbered(node, rows_of(anchor, scope))
    for _ in range(ROUNDS):
        scope.reading.shared[node.fields["id"]] = rows
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


def _merge_rows(node: Node, below: list[Rows], scope: Scope) -> Rows:
    return merge_rows(node, below[0], scope)


def _opaque(node: Node, below: list[Rows], scope: Scope) -> Rows:
    """A node of which nothing is known: what went in went in, what comes out is unknown."""
    scope.reading.opaque[node.name] = None
    output = node.trees("output") or node.trees("outAttributes") or node.trees("outputAttrs")
    columns = [Column(each.id, each.text("name"), UNKNOWN) for each in output]
    return Rows(columns, frozenset().union(*(rows.decided for rows in below)))


_SAME_COLUMNS = (
    "CollectMetrics",
    "EventTimeWatermark",
    "GlobalLimit",
    "LocalLimit",
    "Offset",
    "PipeOperator",
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

_RULES: Mapping[str, Callable[[Node, list[Rows], Scope], Rows]] = {
    **dict.fromkeys(_SAME_COLUMNS, _same),
    "Aggregate": _aggregate,
    "AsOfJoin": _as_of_join,
    "CTERelationDef": _cte,
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
    "UnionLoopRef": _reference_to_cte,
    "Window": _window,
    "WithCTE": _with_ctes,
}
