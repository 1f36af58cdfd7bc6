"""Order keys in Spark: a key begins with its event's time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.said.event import OLDEST

if TYPE_CHECKING:
    from pyspark.sql import Column


def time_of(key: Column) -> Column:
    """The event time that an order key begins with."""
    micros = F.conv(F.substring(key, 1, 15), 16, 10).cast("bigint") - F.lit(OLDEST)
    return F.timestamp_micros(micros)


def latest(key: Column, value: Column) -> Column:
    """A register: of the rows that say something, the word with the last key."""
    return F.max(F.when(value.isNotNull(), F.struct(key.alias("key"), value.alias("value"))))
