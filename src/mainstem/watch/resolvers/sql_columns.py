"""What each column of a query's result is made from, through joins, sub-queries and unions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from sqlglot import exp

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.sql_roles import Role, roles_in
from mainstem.watch.resolvers.sql_rows import aliases, deciders, sorted_by
from mainstem.watch.resolvers.sql_sources import (
    QueryColumn,
    QuerySource,
    Star,
    TableName,
    deciding,
    stronger,
    strongest,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot.optimizer.scope import Scope

_PSEUDO_COLUMNS = frozenset(
    {"rownum", "rowid", "level", "sysdate", "systimestamp", "user", "current_user", "uid"}
)


class _Outputs(Struct):
    """The columns of one (sub-)query, in order; those that are not certain are None."""

    columns: list[tuple[str, tuple[QuerySource, ...] | None]] = field(
        default_factory=list[tuple[str, "tuple[QuerySource, ...] | None"]]
    )
    starred: list[TableName] = field(default_factory=list[TableName])
    """Tables of which all columns come out, under their own names."""

    closed: bool = True
    """Whether the columns above and the tables starred are all there is."""

    decided_by: tuple[QuerySource, ...] = ()
    """What decides which rows there are, and in which order, as far as it is certain."""

    def trace(self, name: str) -> tuple[QuerySource, ...]:
        for column, sources in self.columns:
            if column.lower() == name.lower():
                if sources is None:
                    break
                return sources
        else:
            if self.closed and len(self.starred) == 1:
                return (QuerySource(self.starred[0], name),)
        raise CannotTell("the origin of a column is not certain")

    def arriving(self) -> Iterator[QuerySource]:
        """What the columns that are certain are made from."""
        for _, sources in self.columns:
            yield from (source for source in sources or () if source.direct)

    def at(self, column: str | int) -> tuple[QuerySource, ...]:
        """What a column is made from, by its name or its position; nothing if not certain."""
        certain = self.closed and not self.starred
        for number, (name, sources) in enumerate(self.columns if certain else (), start=1):
            if column == number or str(column).lower() == name.lower():
                return sources or ()
        return ()


class Result(Struct, frozen=True):
    """What is certain of a query's result."""

    columns: tuple[QueryColumn, ...]
    star: Star | None
    """The table that all other columns are of."""

    decided_by: tuple[QuerySource, ...]
    """What decides which rows there are, and in which order."""


def result_of(scope: Scope) -> Result:
    """The result's columns whose origin is certain, and what decides about its rows."""
    outputs = _Walk().outputs(scope)
    found: dict[str, QueryColumn] = {}
    for name, sources in outputs.columns:
        if name and sources is not None:
            found.setdefault(name, QueryColumn(name, sources))
    return Result(tuple(found.values()), _star(outputs), outputs.decided_by)


def _star(outputs: _Outputs) -> Star | None:
    names = frozenset(name.lower() for name, _ in outputs.columns)
    # What a database calls a column without a name could be a column of the table too.
    certain = outputs.closed and len(outputs.starred) == 1 and "" not in names
    return Star(outputs.starred[0], names) if certain else None


def table_name(table: exp.Table) -> TableName:
    """A table's name in parts; of ``database..table``, the schema is an empty one."""
    parts = tuple(part.name for part in table.parts)
    if table.args.get("catalog") and not table.args.get("db"):
        return (parts[0], "", *parts[1:])
    return parts


class _Walk:
    """One walk through a query's scopes; each is looked at once, however often it is read."""

    def __init__(self) -> None:
        self._known: dict[int, _Outputs] = {}

    def outputs(self, scope: Scope) -> _Outputs:
        if id(scope) not in self._known:
            # A recursive query meets itself: its columns are not certain from the inside.
            self._known[id(scope)] = _Outputs(closed=False)
            found = self._outputs(scope)
            self._known[id(scope)] = _renamed(found, scope) if scope.outer_columns else found
        return self._known[id(scope)]

    def _outputs(self, scope: Scope) -> _Outputs:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            return _combined(query, *map(self.outputs, scope.set_operation_scopes))
        if not isinstance(query, exp.Select):
            return _Outputs(closed=False)
        found = _Outputs()
        for projection in query.selects:
            if projection.is_star:
                self._add_star(projection, scope, found)
                continue
            try:
                sources = self._sources(projection, scope)
            except CannotTell:
                sources = None
            found.columns.append((projection.alias_or_name, sources))
        found.decided_by = strongest(self._row_deciders(scope, query))
        return found

    def _add_star(self, projection: exp.Expr, scope: Scope, found: _Outputs) -> None:
        star = projection.this if isinstance(projection, exp.Column) else projection
        wanted = projection.table if isinstance(projection, exp.Column) else ""
        if any(star.args.get(key) for key in ("except_", "except", "replace", "rename")):
            found.closed = False
            return
        for name, (node, source) in scope.selected_sources.items():
            if wanted and name.lower() != wanted.lower():
                continue
            if not _keeps_its_columns(node, source):
                found.closed = False
            elif isinstance(source, exp.Table):
                found.starred.append(table_name(source))
            else:
                inner = self.outputs(source)
                found.columns.extend(inner.columns)
                found.starred.extend(inner.starred)
                found.closed = found.closed and inner.closed

    def _sources(self, expression: exp.Expr, scope: Scope) -> tuple[QuerySource, ...]:
        """What a value is made from; not certain where one part that arrives is not."""
        bare = expression.unalias()
        if isinstance(bare, exp.Column):
            return self._trace(bare, scope)
        query = scope.expression
        windows = {one.name.lower(): one for one in query.args.get("windows") or ()}
        return strongest(
            source
            for node, role in roles_in(expression, Role(), windows)
            for source in self._of_part(node, role, scope)
        )

    def _of_part(
        self, node: exp.Column | exp.Query, role: Role, scope: Scope
    ) -> Iterator[QuerySource]:
        try:
            sources = self._value(node, scope)
        except CannotTell:
            if role.direct:
                raise
            return
        if not role.direct:
            yield from deciding(sources, role.kind)
            return
        for source in sources:
            if source.direct:
                kind = stronger(source.transformation, role.kind)
                masking = source.masking or role.masking
                yield QuerySource(source.table, source.column, kind, masking)
            else:
                yield source

    def _value(self, node: exp.Column | exp.Query, scope: Scope) -> tuple[QuerySource, ...]:
        if isinstance(node, exp.Column):
            return self._trace(node, scope)
        query = node.unnest() if isinstance(node, exp.Subquery) else node
        below = next((one for one in scope.subquery_scopes if one.expression is query), None)
        outputs = self.outputs(below) if below else _Outputs(closed=False)
        if isinstance(node.parent, exp.Exists):
            return outputs.decided_by
        first = outputs.columns[0][1] if len(outputs.columns) == 1 else None
        if first is None or outputs.starred:
            raise CannotTell("what a query within an expression gives is not certain")
        return (*first, *outputs.decided_by)

    def _trace(self, column: exp.Column, scope: Scope) -> tuple[QuerySource, ...]:
        table = column.table.lower()
        if not table and column.name.lower() in _PSEUDO_COLUMNS:
            return ()
        matching = [
            one
            for name, one in scope.selected_sources.items()
            if not table or name.lower() == table
        ]
        if not matching and table and scope.is_subquery and scope.parent:
            return self._trace(column, scope.parent)
        if len(matching) != 1:
            raise CannotTell("which table a column is of is not certain")
        node, source = matching[0]
        if not _keeps_its_columns(node, source):
            raise CannotTell("the table's columns are given other names")
        if not isinstance(source, exp.Table):
            return self.outputs(source).trace(column.name)
        return (QuerySource(table_name(source), column.name),)

    def _row_deciders(self, scope: Scope, query: exp.Select) -> Iterator[QuerySource]:
        for _, source in scope.selected_sources.values():
            if not isinstance(source, exp.Table):
                yield from self.outputs(source).decided_by
        named = aliases(query)
        for kind, expression, takes_aliases in deciders(query):
            for node, role in roles_in(expression, Role(kind), {}):
                if not isinstance(node, exp.Column) or node.table:
                    yield from self._of_part(node, role, scope)
                elif (given := named.get(node.name.lower())) and takes_aliases:
                    for part, _ in roles_in(given, role, {}):
                        yield from self._of_part(part, role, scope)
                # A name that the query gives could be a column's too; within an expression of
                # another query, a bare name could be a column of that one.
                elif given is None and not scope.is_subquery:
                    yield from self._of_part(node, role, scope)


def _keeps_its_columns(node: exp.Expr, source: exp.Expr | Scope) -> bool:
    """Whether a table's columns have their own names here, and are all there are."""
    renamed = isinstance(source, exp.Table) and bool(source.alias_column_names)
    return not renamed and not node.args.get("pivots")


def _renamed(outputs: _Outputs, scope: Scope) -> _Outputs:
    """The same columns under the names that stand behind the query's alias."""
    names = scope.outer_columns
    if outputs.starred or not outputs.closed or len(names) != len(outputs.columns):
        return _Outputs(closed=False, decided_by=outputs.decided_by)
    renamed = [(name, sources) for name, (_, sources) in zip(names, outputs.columns, strict=True)]
    return _Outputs(renamed, decided_by=outputs.decided_by)


def _combined(query: exp.SetOperation, *sides: _Outputs) -> _Outputs:
    """The rows of both, of the first that are in the second too, or of those that are not."""
    decided = [one for side in sides for one in side.decided_by]
    if isinstance(query, exp.Union):
        found = _united(*sides)
        if query.args.get("distinct"):
            decided.extend(deciding(found.arriving(), "GROUP_BY"))
    else:
        first = sides[0]
        found = _Outputs(first.columns, first.starred, first.closed)
        decided.extend(one for side in sides for one in deciding(side.arriving(), "FILTER"))
    for column in sorted_by(query):
        decided.extend(deciding(found.at(column), "SORT"))
    found.decided_by = strongest(decided)
    return found


def _united(*sides: _Outputs) -> _Outputs:
    """Columns of a union are paired by their position, and named by the first query."""
    widths = {len(side.columns) for side in sides}
    if len(widths) != 1 or any(side.starred or not side.closed for side in sides):
        return _Outputs(closed=False)
    columns: list[tuple[str, tuple[QuerySource, ...] | None]] = []
    for together in zip(*(side.columns for side in sides), strict=True):
        parts = [sources for _, sources in together]
        certain = [one for one in parts if one is not None]
        merged = strongest(source for one in certain for source in one)
        columns.append((together[0][0], merged if len(certain) == len(parts) else None))
    return _Outputs(columns)
