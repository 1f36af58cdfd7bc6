"""Rows that stand, and what is new of them: the little that is new goes to where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import Column, DataFrame

_NEW = "new_"


def plus(standing: Column, new: Column) -> Column:
    """The sum of two columns, of which either may be null."""
    return F.coalesce(standing + new, standing, new)


def go_on(
    before: DataFrame,
    new: DataFrame,
    key: Sequence[str],
    registers: Mapping[str, Callable[[Column, Column], Column]],
    *,
    grows: bool = True,
) -> DataFrame:
    """Rows of ``before`` with what is ``new`` of them, and rows of keys that are new.

    ``registers`` are the columns that go on, each with how; of the others what stands is right.
    ``grows`` is whether there may be keys that are new.
    """
    keys = list(key)
    told = new.select(*keys, *[F.col(name).alias(_NEW + name) for name in registers])
    rows = before.join(told, on=keys, how="left")
    merged = rows.select(
        *[
            registers[name](F.col(name), F.col(_NEW + name)).alias(name)
            if name in registers
            else F.col(name)
            for name in before.columns
        ]
    )
    if not grows:
        return merged
    unknown = new.join(before.select(*keys), on=keys, how="left_anti")
    return merged.unionByName(unknown)
