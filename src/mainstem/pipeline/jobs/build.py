"""Raw events to tables: what is new is read, folded into what stands, and committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.source import Source
    from mainstem.pipeline.jobs.target import Target


class Built(Struct, frozen=True):
    """What a build did."""

    read: int
    """Lines or records that were new to it."""

    events: int
    """Events among them that were not known."""

    refused: int
    """Those that went to quarantine."""


def build(
    spark: SparkSession,
    source: Source,
    target: Target,
    *,
    aliases: Aliases,
    reach: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Built:
    """Read what is new in a source and bring every table up to date; told each step's name."""
    raise NotImplementedError


def fold_batch(
    spark: SparkSession, raw: DataFrame, target: Target, *, batch: str, aliases: Aliases
) -> Built:
    """Fold rows of ``value`` (binary) and ``origin`` (string), once per batch name.

    What the ledger knows is skipped: a stream that repeats a batch changes nothing.
    """
    raise NotImplementedError
