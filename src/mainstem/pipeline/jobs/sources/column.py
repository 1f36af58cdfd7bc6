"""Which column of a table holds the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

USUAL = ("raw", "value", "event", "body", "payload")
"""What such a column is called where nobody says which it is."""
TEXTS = ("string", "binary")


def values(rows: DataFrame, where: str, chosen: str | None, origin: Column) -> DataFrame:
    """Rows of ``value`` and ``origin`` from the column that holds events.

    Raises:
        BadRecipe: when the column is not there, holds no text, or cannot be told from others.
    """
    texts = [name for name, kind in rows.dtypes if kind in TEXTS]
    usual = [name for name in USUAL if name in texts]
    name = chosen or next(iter(usual or (texts if len(texts) == 1 else [])), None)
    if name is None or name not in texts:
        told = f"--column is {chosen!r}" if chosen else "no column is called " + " or ".join(USUAL)
        allowed = ", ".join(texts) or "none"
        raise BadRecipe("source", [f"{where}: {told}; columns that hold text are: {allowed}"])
    return rows.select(F.col(f"`{name}`").cast("binary").alias("value"), origin.alias("origin"))
