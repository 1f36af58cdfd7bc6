"""What each column of a query's result is made from, through joins, sub-queries and unions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlglot import exp

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlglot.optimizer.scope import Scope

TableName = tuple[str, ...]
"""A table's name in parts, from the catalog to the table; those not said are left out."""

_KINDS = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
_HASHES = (exp.MD5, exp.MD5Digest, exp.SHA, exp.SHA2)
_PSEUDO_COLUMNS = frozenset(
    {"rownum", "rowid", "level", "sysdate", "systimestamp", "user", "current_user", "uid"}
)


@dataclass(frozen=True, slots=True)
class QuerySource:
    """One column of a table that a result's column is made from."""

    table: TableName
    column: str
    transformation: str = "IDENTITY"
    masking: bool = False


@dataclass(frozen=True, slots=True)
class QueryColumn:
    """One column of the result; without sources it is made from no table."""

    name: str
    sources: tuple[QuerySource, ...]


@dataclass(frozen=True, slots=True)
class Star:
    """The one table of which every column comes out under its own name."""

    table: TableName
    others: frozenset[str]
    """The names of the result's other columns, in lower case."""


@dataclass(slots=True)
class _Outputs:
    """The columns of one (sub-)query, in order; those that are not certain are None."""

    columns: list[tuple[str, tuple[QuerySource, ...] | None]] = field(
        default_factory=list[tuple[str, "tuple[QuerySource, ...] | None"]]
    )
    starred: list[TableName] = field(default_factory=list[TableName])
    """Tables of which all columns come out, under their own names."""

    closed: bool = True
    """Whether the columns above and the tables starred are all there is."""

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


def columns_of(scope: Scope) -> tuple[tuple[QueryColumn, ...], Star | None]:
    """The result's columns whose origin is certain, and the table that all others are of."""
    outputs = _Walk().outputs(scope)
    found: dict[str, QueryColumn] = {}
    for name, sources in outputs.columns:
        if name and sources is not None:
            found.setdefault(name, QueryColumn(name, sources))
    return tuple(found.values()), _star(outputs)


def _star(outputs: _Outputs) -> Star | None:
    names = frozenset(name.lower() for name, _ in outputs.columns)
    # What a database calls a column without a name could be a column of the table too.
    certain = outputs.closed and len(outputs.starred) == 1 and "" not in names
    return Star(outputs.starred[0], names) if certain else None


def table_name(table: exp.Table) -> TableName:
    """A table's name in parts."""
    return tuple(part.name for part in table.parts)


class _Walk:
    """One walk through a query's scopes; each is looked at once, however often it is read."""

    def __init__(self) -> None:
        self._known: dict[int, _Outputs] = {}

    def outputs(self, scope: Scope) -> _Outputs:
        if id(scope) not in self._known:
            # A recursive query meets itself: its columns are not certain from the inside.
            self._known[id(scope)] = _Outputs(closed=False)
            self._known[id(scope)] = self._outputs(scope)
        return self._known[id(scope)]

    def _outputs(self, scope: Scope) -> _Outputs:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            return _united(*map(self.outputs, scope.set_operation_scopes))
        found = _Outputs()
        for projection in query.selects if isinstance(query, exp.Query) else ():
            if projection.is_star:
                self._add_star(projection, scope, found)
                continue
            try:
                sources = self._sources(projection, scope)
            except CannotTell:
                sources = None
            found.columns.append((projection.alias_or_name, sources))
        return found

    def _add_star(self, projection: exp.Expr, scope: Scope, found: _Outputs) -> None:
        star = projection.this if isinstance(projection, exp.Column) else projection
        wanted = projection.table if isinstance(projection, exp.Column) else ""
        if any(star.args.get(key) for key in ("except_", "except", "replace", "rename")):
            found.closed = False
            return
        for name, (_, source) in scope.selected_sources.items():
            if wanted and name.lower() != wanted.lower():
                continue
            if isinstance(source, exp.Table):
                found.starred.append(table_name(source))
            else:
                inner = self.outputs(source)
                found.columns.extend(inner.columns)
                found.starred.extend(inner.starred)
                found.closed = found.closed and inner.closed

    def _sources(self, projection: exp.Expr, scope: Scope) -> tuple[QuerySource, ...]:
        made_by = projection.unalias()
        while isinstance(made_by, exp.Paren):
            made_by = made_by.this
        if isinstance(made_by, exp.Column):
            return self._trace(made_by, scope)
        nodes = tuple(made_by.walk())
        if any(isinstance(node, exp.Query) for node in nodes):
            raise CannotTell("a column is made by a query of its own")
        aggregated = any(isinstance(node, exp.AggFunc) for node in nodes)
        kind = "AGGREGATION" if aggregated else "TRANSFORMATION"
        masking = any(isinstance(node, _HASHES) for node in nodes)
        return _strongest(
            QuerySource(
                source.table,
                source.column,
                max(kind, source.transformation, key=_KINDS.index),
                masking or source.masking,
            )
            for column in nodes
            if isinstance(column, exp.Column)
            for source in self._trace(column, scope)
        )

    def _trace(self, column: exp.Column, scope: Scope) -> tuple[QuerySource, ...]:
        if not column.table and column.name.lower() in _PSEUDO_COLUMNS:
            return ()
        matching = [
            source
            for name, (_, source) in scope.selected_sources.items()
            if not column.table or name.lower() == column.table.lower()
        ]
        if len(matching) != 1:
            raise CannotTell("which table a column is of is not certain")
        source = matching[0]
        if isinstance(source, exp.Table):
            return (QuerySource(table_name(source), column.name),)
        return self.outputs(source).trace(column.name)


def _united(*sides: _Outputs) -> _Outputs:
    """Columns of a union are paired by their position, and named by the first query."""
    widths = {len(side.columns) for side in sides}
    if len(widths) != 1 or any(side.starred or not side.closed for side in sides):
        return _Outputs(closed=False)
    columns: list[tuple[str, tuple[QuerySource, ...] | None]] = []
    for together in zip(*(side.columns for side in sides), strict=True):
        parts = [sources for _, sources in together]
        certain = [one for one in parts if one is not None]
        merged = _strongest(source for one in certain for source in one)
        columns.append((together[0][0], merged if len(certain) == len(parts) else None))
    return _Outputs(columns)


def _strongest(sources: Iterable[QuerySource]) -> tuple[QuerySource, ...]:
    """Each origin once, with the most that happens to it on any of its ways."""
    found: dict[tuple[TableName, str], QuerySource] = {}
    for source in sources:
        key = (source.table, source.column)
        other = found.get(key)
        if other is None or _KINDS.index(other.transformation) < _KINDS.index(
            source.transformation
        ):
            found[key] = source
    return tuple(found.values())
