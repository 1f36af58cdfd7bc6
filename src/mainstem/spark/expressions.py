"""What an expression's value is made of: one rule per class of expression, and one for the rest.

A function without a rule of its own is a transformation of its arguments, as for the OpenLineage
agent. Rules are there for what keeps a value as it is, for what decides instead of flowing, and
for structs, whose fields keep their own ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.spark import values
from mainstem.spark.encodings import DECODERS
from mainstem.spark.values import NOTHING, Value, changed, decided_by, deciding, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mainstem.spark.lineage import Subtype
    from mainstem.spark.scope import Scope
    from mainstem.spark.tree import Node

MASKING = frozenset(
    {"Count", "Crc32", "HiveHash", "Mask", "Md5", "Murmur3Hash", "Sha1", "Sha2", "XxHash64"}
)
"""Functions that hide their argument's value: the same as the OpenLineage agent's."""

_PICKING = frozenset(
    {"AnyValue", "CollectList", "CollectSet", "First", "Last", "Max", "Min", "Mode"}
)
_RANKING = frozenset({"CumeDist", "DenseRank", "NTile", "PercentRank", "Rank", "RowNumber"})


def value_of(expression: Node, scope: Scope) -> Value:
    """What the expression's value is made of."""
    rule = _RULES.get(expression.name)
    if rule is not None:
        return rule(expression, scope)
    decoder = DECODERS.get(expression.name)
    if decoder is not None:
        return decoder(expression, [value_of(child, scope) for child in expression.children])
    parts = [value_of(part, scope) for part in _parts(expression)]
    return changed(merged(parts), "TRANSFORMATION", masking=expression.name in MASKING)


def _parts(expression: Node) -> Iterator[Node]:
    """What plain functions are applied to, below any number of them: a sum may be very long."""
    waiting = list(expression.children)
    while waiting:
        part = waiting.pop()
        if part.name in _RULES or part.name in DECODERS or part.name in MASKING:
            yield part
        else:
            waiting.extend(part.children)


def decision(expression: Node, scope: Scope, subtype: Subtype) -> frozenset[values.Flow]:
    """The columns that an expression, used as a condition, key or order, decides by."""
    return deciding(value_of(expression, scope), subtype)


def _same(expression: Node, scope: Scope) -> Value:
    return value_of(expression.children[0], scope)


def _alias(expression: Node, scope: Scope) -> Value:
    child = expression.children[0]
    if scope.reading.command == "UPDATE" and child.name == "If":
        condition, then, otherwise = child.children
        if otherwise.name == "AttributeReference" and otherwise.text("name") == expression.text(
            "name"
        ):
            # Rows that are not updated are copied with the others of their file.
            value = value_of(then, scope)
            stays = then.is_like(otherwise)
            return value if stays else decided_by(value, _conditions((condition,), scope))
    return value_of(child, scope)


def _reference(expression: Node, scope: Scope) -> Value:
    return scope.column(expression.id)


def _outer_reference(expression: Node, scope: Scope) -> Value:
    inner = expression.tree("e")
    return value_of(inner, scope) if inner else NOTHING


def _nothing(_expression: Node, _scope: Scope) -> Value:
    return NOTHING


def _struct_field(expression: Node, scope: Scope) -> Value:
    whole = value_of(expression.children[0], scope)
    name = expression.text("name")
    return (
        values.part_of(whole, name) if name else values.part_at(whole, expression.fields["ordinal"])
    )


def _array_field(expression: Node, scope: Scope) -> Value:
    return values.part_of(
        value_of(expression.children[0], scope), expression.fields["field"]["name"]
    )


def _element(expression: Node, scope: Scope) -> Value:
    array, index = (value_of(child, scope) for child in expression.children[:2])
    if isinstance(array.type, dict) and array.type.get("type") == "map":
        return changed(merged([array, index]), "TRANSFORMATION")
    return merged([values.picked(array, "TRANSFORMATION"), changed(index, "TRANSFORMATION")])


def _named_struct(expression: Node, scope: Scope) -> Value:
    names, parts = expression.children[::2], expression.children[1::2]
    rebuilt = _rebuilt(names, parts)
    if rebuilt is not None:
        whole = value_of(rebuilt, scope)
        if [name.text("value") for name in names] == _names_in(whole):
            return whole
    return values.struct(
        {name.text("value"): value_of(part, scope) for name, part in zip(names, parts, strict=True)}
    )


def _rebuilt(names: tuple[Node, ...], parts: tuple[Node, ...]) -> Node | None:
    # Writing to a table takes a struct apart and puts it together again, field by field.
    if not parts or any(part.name != "GetStructField" for part in parts):
        return None
    of = [part.children[0] for part in parts]
    in_order = [part.text("name") for part in parts] == [name.text("value") for name in names]
    return of[0] if in_order and all(each.is_like(of[0]) for each in of) else None


def _names_in(value: Value) -> list[str]:
    return list(value.fields) if value.fields is not None else values.field_names(value.type)


def _array(expression: Node, scope: Scope) -> Value:
    every = merged(value_of(child, scope) for child in expression.children)
    return values.picked(every, "TRANSFORMATION")


def _case(expression: Node, scope: Scope) -> Value:
    pairs = len(expression.children) // 2
    conditions = expression.children[: 2 * pairs : 2]
    results = [*expression.children[1 : 2 * pairs : 2], *expression.children[2 * pairs :]]
    value = changed(merged(value_of(each, scope) for each in results), "TRANSFORMATION")
    if any(node.name == "PreciseTimestampConversion" for node in expression.walk()):
        # The arithmetic of time windows asks whether a remainder is negative: no one's condition.
        return value
    return decided_by(value, _conditions(conditions, scope))


def _if(expression: Node, scope: Scope) -> Value:
    condition, then, otherwise = expression.children
    if condition.name == "IsNull" and then.name == "Literal" and "value" in then.fields:
        checked = value_of(condition.children[0], scope)
        value = value_of(otherwise, scope)
        if then.fields["value"] is None and value.flows <= checked.flows:
            # "null stays null", which Spark adds around a struct that it writes.
            return value
    results = merged([value_of(then, scope), value_of(otherwise, scope)])
    return decided_by(changed(results, "TRANSFORMATION"), _conditions((condition,), scope))


def _coalesce(expression: Node, scope: Scope) -> Value:
    results = merged(value_of(child, scope) for child in expression.children)
    decides = _conditions(expression.children[:-1], scope)
    return decided_by(changed(results, "TRANSFORMATION"), decides)


def _conditions(conditions: tuple[Node, ...], scope: Scope) -> frozenset[values.Flow]:
    return frozenset().union(*(decision(each, scope, "CONDITIONAL") for each in conditions))


def _aggregate(expression: Node, scope: Scope) -> Value:
    function = expression.tree("aggregateFunction")
    value = _aggregated(function, scope) if function else NOTHING
    only = expression.tree("filter")
    return decided_by(value, decision(only, scope, "FILTER")) if only else value


def _aggregated(function: Node, scope: Scope) -> Value:
    arguments = [value_of(child, scope) for child in function.children]
    if function.name in _PICKING:
        return _picked(function, arguments[0])
    if function.name in ("MaxBy", "MinBy"):
        return decided_by(
            values.picked(arguments[0], "AGGREGATION"), deciding(arguments[1], "SORT")
        )
    if function.name == "PivotFirst":
        pivot, measured = arguments[:2]
        return decided_by(changed(measured, "AGGREGATION"), deciding(pivot, "CONDITIONAL"))
    return changed(merged(arguments), "AGGREGATION", masking=function.name in MASKING)


def _picked(function: Node, value: Value) -> Value:
    chosen = values.picked(value, "AGGREGATION")
    if function.name not in ("Max", "Min") or not chosen.fields:
        return chosen
    # The greatest struct is the one with the greatest first field: each decides about the others.
    order = deciding(value, "SORT")
    fields = {
        name: decided_by(part, order - deciding(part, "SORT"))
        for name, part in chosen.fields.items()
    }
    return replace(chosen, fields=fields)


def _window(expression: Node, scope: Scope) -> Value:
    function, frame = expression.children
    # The argument of a rank is the order of its window, which only decides.
    value = NOTHING if function.name in _RANKING else value_of(function, scope)
    by = (decision(child, scope, "WINDOW") for child in frame.children)
    return decided_by(changed(value, "TRANSFORMATION"), frozenset().union(*by))


def _scalar_subquery(expression: Node, scope: Scope) -> Value:
    plan = expression.tree("plan")
    rows = scope.rows_of_subquery(plan) if plan else None
    return rows.columns[0].value if rows and rows.columns else values.UNKNOWN


def _list_subquery(expression: Node, scope: Scope) -> Value:
    plan = expression.tree("plan")
    rows = scope.rows_of_subquery(plan) if plan else None
    return merged(column.value for column in rows.columns) if rows else values.UNKNOWN


def _exists(expression: Node, scope: Scope) -> Value:
    plan = expression.tree("plan")
    if plan:
        scope.rows_of_subquery(plan)
    return NOTHING


_RULES: Mapping[str, Callable[[Node, Scope], Value]] = {
    "AggregateExpression": _aggregate,
    "Alias": _alias,
    "AssertNotNull": _same,
    "AttributeReference": _reference,
    "CaseWhen": _case,
    "Coalesce": _coalesce,
    "CreateArray": _array,
    "CreateNamedStruct": _named_struct,
    "ElementAt": _element,
    "Exists": _exists,
    "GetArrayItem": _element,
    "GetArrayStructFields": _array_field,
    "GetStructField": _struct_field,
    "If": _if,
    "KnownFloatingPointNormalized": _same,
    "KnownNotNull": _same,
    "KnownNullable": _same,
    "ListQuery": _list_subquery,
    "Literal": _nothing,
    "NamedLambdaVariable": _nothing,
    "NormalizeNaNAndZero": _same,
    "OuterReference": _outer_reference,
    "ScalarSubquery": _scalar_subquery,
    "SortOrder": _same,
    "TempResolvedColumn": _same,
    "UpCast": _same,
    "WindowExpression": _window,
}
