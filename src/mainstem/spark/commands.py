"""What a command writes: the columns of its target, each with what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.spark.expressions import decision, value_of
from mainstem.spark.leaves import attributes
from mainstem.spark.scope import Rows, Scope
from mainstem.spark.values import Value, decided_by, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mainstem.spark.scope import Reading
    from mainstem.spark.tree import Node
    from mainstem.spark.values import Flow


class Written(NamedTuple):
    """The columns of a target by name, and what decided which rows it gets."""

    columns: Mapping[str, Value]
    decided: frozenset[Flow]


def written_by(root: Node, reading: Reading) -> Written:
    """What a plan writes; a plan that is no command, as a stream's, writes what it gives."""
    rule = _RULES.get(root.name)
    if rule is not None:
        return rule(root, reading)
    return _as_named(reading.rows_of(root, Scope(reading)))


def _as_named(rows: Rows) -> Written:
    return Written({column.name: column.value for column in rows.columns}, rows.decided)


def _rows_of_query(root: Node, reading: Reading) -> Rows:
    query = root.tree("query")
    return reading.rows_of(query, Scope(reading)) if query else Rows()


def _query(root: Node, reading: Reading) -> Written:
    return _as_named(_rows_of_query(root, reading))


def _by_position(root: Node, reading: Reading) -> Written:
    """Into a table's columns, which the analysed query is in the order of."""
    rows = _rows_of_query(root, reading)
    table = root.tree("table") or root.tree("logicalRelation")
    names = [each.text("name") for each in attributes(table)] if table else []
    columns = zip(names, rows.columns, strict=False)
    return Written({name: column.value for name, column in columns}, rows.decided)


def _changed_rows(root: Node, reading: Reading) -> Written:
    """MERGE, UPDATE and DELETE of a table whose rows Spark writes anew."""
    table = root.tree("table")
    own = {each.text("name") for each in attributes(table)} if table else set()
    rows = _rows_of_query(root, reading)
    columns = {column.name: column.value for column in rows.columns if column.name in own}
    if reading.command == "DELETE":
        columns = {}
    return _without_bookkeeping(Written(columns, rows.decided), reading, own)


def _without_bookkeeping(written: Written, reading: Reading, own: set[str]) -> Written:
    """Without positions in files, and without columns that merely stay what they are."""

    def real(flow: Flow) -> bool:
        return flow.dataset not in reading.targets or flow.path[0] in own

    def says_something(name: str, flow: Flow) -> bool:
        stays = flow.dataset in reading.targets and flow.path == (name,)
        return real(flow) and not (stays and flow.subtype == "IDENTITY")

    columns = {
        name: Value(
            frozenset(flow for flow in value.flows if says_something(name, flow)),
            unknown=value.unknown,
        )
        for name, value in written.columns.items()
    }
    touched = {
        name: value
        for name, value in columns.items()
        if value.flows or not written.columns[name].flows
    }
    return Written(touched, frozenset(filter(real, written.decided)))


def _delta_merge(root: Node, reading: Reading) -> Written:
    sides = [
        reading.rows_of(side, Scope(reading))
        for side in map(root.tree, ("target", "source"))
        if side
    ]
    scope = Scope(reading).within(sides)
    condition = root.tree("condition")
    columns: dict[str, Value] = {}
    for name, value in _delta_actions(root, scope):
        columns[name] = merged([columns[name], value]) if name in columns else value
    decided = frozenset().union(*(side.decided for side in sides))
    if condition:
        decided |= decision(condition, scope, "JOIN")
    own = {column.name for column in sides[0].columns}
    return _without_bookkeeping(Written(columns, decided), reading, own)


def _delta_actions(root: Node, scope: Scope) -> Iterator[tuple[str, Value]]:
    for field in ("matchedClauses", "notMatchedClauses", "notMatchedBySourceClauses"):
        for clause in root.trees(field):
            condition = clause.tree("condition")
            by = decision(condition, scope, "CONDITIONAL") if condition else frozenset()
            for action in clause.trees("actions"):
                name = action.text("targetColNameParts").strip("[]").split(", ")[0]
                value = value_of(action.children[0], scope)
                stays = any(
                    flow.dataset in scope.reading.targets and flow.path == (name,)
                    for flow in value.flows
                )
                yield name, value if stays and len(value.flows) == 1 else decided_by(value, by)


def _delta_update(root: Node, reading: Reading) -> Written:
    rows, scope, filters = _target(root, reading)
    columns = {
        column.name: value_of(expression, scope)
        for column, expression in zip(rows.columns, root.trees("updateExpressions"), strict=False)
    }
    own = {column.name for column in rows.columns}
    return _without_bookkeeping(Written(columns, rows.decided | filters), reading, own)


def _delete(root: Node, reading: Reading) -> Written:
    rows, _scope, filters = _target(root, reading)
    return Written({}, rows.decided | filters)


def _target(root: Node, reading: Reading) -> tuple[Rows, Scope, frozenset[Flow]]:
    target, condition = root.tree("target") or root.tree("table"), root.tree("condition")
    rows = reading.rows_of(target, Scope(reading)) if target else Rows()
    scope = Scope(reading).within([rows])
    return rows, scope, decision(condition, scope, "FILTER") if condition else frozenset()


_RULES: Mapping[str, Callable[[Node, Reading], Written]] = {
    "AppendData": _by_position,
    "DeleteCommand": _delete,
    "DeleteFromTable": _delete,
    "InsertIntoDataSourceCommand": _by_position,
    "InsertIntoHadoopFsRelationCommand": _query,
    "InsertIntoHiveDirCommand": _query,
    "InsertIntoHiveTable": _query,
    "MergeIntoCommand": _delta_merge,
    "OverwriteByExpression": _by_position,
    "OverwritePartitionsDynamic": _by_position,
    "ReplaceData": _changed_rows,
    "SaveIntoDataSourceCommand": _query,
    "UpdateCommand": _delta_update,
    "WriteDelta": _changed_rows,
}
