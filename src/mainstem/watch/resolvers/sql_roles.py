"""Which part each column of an expression plays: its value arrives, or it decides about others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from sqlglot import exp

from mainstem.watch.resolvers.sql_sources import DIRECT_KINDS, stronger

if TYPE_CHECKING:
    from collections.abc import Iterator

_TRANSPARENT = (exp.Alias, exp.Paren)
_MASKING = (exp.Count, exp.MD5, exp.MD5Digest, exp.SHA, exp.SHA1Digest, exp.SHA2, exp.SHA2Digest)
"""Functions that hide their argument's value: those that OpenLineage's agent for Spark counts."""

_OF_ONE_ROW = (exp.Lag, exp.Lead)
"""The parser takes them for aggregates, but each gives the value of one row."""

_ORDERED_VALUE = (exp.PercentileCont, exp.PercentileDisc, exp.Mode)
"""Aggregates whose argument stands in their WITHIN GROUP (ORDER BY …)."""

_DECIDING: dict[type[exp.Expr], dict[str, str]] = {
    exp.Case: {"this": "CONDITIONAL"},
    exp.If: {"this": "CONDITIONAL"},
    exp.Nvl2: {"this": "CONDITIONAL"},
    exp.Nullif: {"expression": "CONDITIONAL"},
    exp.Window: {"partition_by": "WINDOW", "order": "WINDOW"},
    exp.Filter: {"expression": "FILTER"},
    exp.Order: {"expressions": "SORT"},
    exp.WithinGroup: {"expression": "SORT"},
    exp.ArgMax: {"expression": "SORT"},
    exp.ArgMin: {"expression": "SORT"},
}
"""By expression and part of it, what the columns of that part do where they only decide."""


class Role(NamedTuple):
    """What happens to a value on its way out of an expression; OpenLineage's subtype."""

    kind: str = "IDENTITY"
    masking: bool = False

    @property
    def direct(self) -> bool:
        """Whether the value arrives."""
        return self.kind in DIRECT_KINDS

    def with_kind(self, kind: str) -> Role:
        """The role below a function that does this to its arguments."""
        return Role(stronger(self.kind, kind), self.masking)


def roles_in(
    expression: exp.Expr, role: Role, windows: dict[str, exp.Window]
) -> Iterator[tuple[exp.Column | exp.Query, Role]]:
    """Every column and sub-query of the expression, with its role there; not those below these.

    ``windows`` are those that the query gives names to.
    """
    # By hand and not by recursion: a sum of ten thousand columns is as deep as it is long.
    waiting = [(expression, role)]
    while waiting:
        node, here = waiting.pop()
        if isinstance(node, (exp.Column, exp.Query)):
            yield node, here
            continue
        waiting.extend(reversed(_parts(node, here)))
        if isinstance(node, exp.Window) and here.direct and (of := windows.get(node.alias.lower())):
            parts = (*_of(of, "partition_by"), *_of(of, "order"))
            waiting.extend((part, Role("WINDOW")) for part in parts)


def _parts(node: exp.Expr, role: Role) -> list[tuple[exp.Expr, Role]]:
    if not role.direct:
        return [(part, role) for key in node.args for part in _of(node, key)]
    below = _below(node, role)
    if isinstance(node, exp.Coalesce):
        return [*_first_that_is(list(node.iter_expressions()), below)]
    if isinstance(node, exp.DecodeCase):
        return [*_decoded(node.expressions, below)]
    deciding = _deciding(node)
    return [
        (part, Role(deciding[key]) if key in deciding else below)
        for key in node.args
        for part in _of(node, key)
    ]


def _below(node: exp.Expr, role: Role) -> Role:
    if isinstance(node, _TRANSPARENT):
        return role
    aggregates = isinstance(node, (exp.AggFunc, exp.WithinGroup)) and not isinstance(
        node, _OF_ONE_ROW
    )
    below = role.with_kind("AGGREGATION" if aggregates else "TRANSFORMATION")
    return Role(below.kind, masking=True) if isinstance(node, _MASKING) else below


def _deciding(node: exp.Expr) -> dict[str, str]:
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, _ORDERED_VALUE):
        return {}
    if isinstance(node, exp.Order) and isinstance(node.parent, exp.WithinGroup):
        return {}
    return _DECIDING.get(type(node), {})


def _first_that_is(parts: list[exp.Expr], role: Role) -> Iterator[tuple[exp.Expr, Role]]:
    """Of ``coalesce``: any may arrive, and each but the last decides whether the next does."""
    yield from ((part, role) for part in parts)
    yield from ((part, Role("CONDITIONAL")) for part in parts[:-1])


def _decoded(parts: list[exp.Expr], role: Role) -> Iterator[tuple[exp.Expr, Role]]:
    """Of Oracle's ``decode(what, this, then, that, then, otherwise)``."""
    for at, part in enumerate(parts):
        arrives = at > 0 and (at % 2 == 0 or at == len(parts) - 1)
        yield part, role if arrives else Role("CONDITIONAL")


def _of(node: exp.Expr, key: str) -> list[exp.Expr]:
    value: object = node.args.get(key)
    if isinstance(value, list):
        return [one for one in cast("list[object]", value) if isinstance(one, exp.Expr)]
    return [value] if isinstance(value, exp.Expr) else []
