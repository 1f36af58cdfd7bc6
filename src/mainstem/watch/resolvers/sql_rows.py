"""Which parts of a query decide over its rows: by what they are joined, filtered, grouped."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILTERS = {"where": False, "having": True, "qualify": True}
"""The parts that let rows through, and whether a name there may be one that the query gives."""


class Decider(NamedTuple):
    """An expression that decides over rows, in the scope of its query."""

    kind: str
    """OpenLineage's subtype."""

    expression: exp.Expr
    takes_aliases: bool = False
    """Whether a name in it may be one that the query gives to a column of its result."""


def deciders(query: exp.Select) -> Iterator[Decider]:
    """What decides over the rows of one SELECT."""
    for join in query.args.get("joins") or ():
        if on := join.args.get("on"):
            yield Decider("JOIN", on)
    yield from (Decider("JOIN", column) for column in _used(query))
    for part, takes_aliases in _FILTERS.items():
        if condition := query.args.get(part):
            yield Decider("FILTER", condition, takes_aliases)
    group, distinct, order = (query.args.get(key) for key in ("group", "distinct", "order"))
    if group:
        yield from _grouped(query, group)
    if distinct:
        on = distinct.args.get("on")
        chosen = on.expressions if on else [one for one in query.selects if not one.is_star]
        yield from (Decider("GROUP_BY", one.unalias()) for one in chosen)
    for one in order.expressions if order else ():
        yield Decider("SORT", _named_or_numbered(query, one.this) or one.this)


def aliases(query: exp.Expr) -> dict[str, exp.Expr]:
    """The names that a query gives to what is not a column of that very name."""
    return {
        one.alias.lower(): one.this
        for one in (query.selects if isinstance(query, exp.Select) else ())
        if isinstance(one, exp.Alias)
        and not (isinstance(one.this, exp.Column) and one.this.name.lower() == one.alias.lower())
    }


def sorted_by(query: exp.SetOperation) -> Iterator[str | int]:
    """The columns, by name or by position from one, that the rows of a union are sorted by."""
    order = query.args.get("order")
    for one in order.expressions if order else ():
        if isinstance(one.this, exp.Column) and not one.this.table:
            yield one.this.name
        elif isinstance(one.this, exp.Literal) and one.this.is_int:
            yield int(one.this.name)


def _grouped(query: exp.Select, group: exp.Expr) -> Iterator[Decider]:
    for one in group.iter_expressions():
        named = _named_or_numbered(query, one)
        # No query may group by an aggregate: such a name is that of a column.
        if named is None or one.is_int or not named.find(exp.AggFunc):
            yield Decider("GROUP_BY", one if named is None else named)


def _named_or_numbered(query: exp.Select, one: exp.Expr) -> exp.Expr | None:
    """The column of the result that a name or a position means."""
    if isinstance(one, exp.Literal) and one.is_int:
        at = int(one.name) - 1
        chosen = query.selects[: at + 1]
        starred = any(before.is_star for before in chosen)
        return chosen[at].unalias() if 0 <= at < len(chosen) and not starred else exp.null()
    if isinstance(one, exp.Column) and not one.table:
        return aliases(query).get(one.name.lower())
    return None


def _used(query: exp.Select) -> Iterator[exp.Column]:
    """The columns that ``JOIN … USING`` compares, as far as it is certain whose they are."""
    first = query.args.get("from_") or query.args.get("from")
    earlier = [first.this.alias_or_name] if first else []
    merged: dict[str, list[str]] = {}
    for join in query.args.get("joins") or ():
        joined = join.this.alias_or_name
        for name in join.args.get("using") or ():
            known = merged.get(name.name.lower(), earlier if len(earlier) == 1 else [])
            merged[name.name.lower()] = [*known, joined]
            for table in (*known, joined):
                yield exp.column(name.name, table=table)
        earlier.append(joined)
