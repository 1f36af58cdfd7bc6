"""Back to a store: the events that carry graph and history, as files that ``import`` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from pyspark.errors import AnalysisException
from pyspark.sql import functions as F  # noqa: N812

from mainstem.errors import BadRecipe
from mainstem.pipeline import tables
from mainstem.pipeline.steps.publishing import carrying

if TYPE_CHECKING:
    from mainstem.pipeline.jobs.target import Target

EVENTS_PER_FILE = 500_000
TAKEN = "PATH_ALREADY_EXISTS"


class Published(Struct, frozen=True):
    """What was written."""

    events: int
    """How many events the tables hold."""

    written: int
    """How many of them carry something that no other does."""


def publish(target: Target, directory: str, *, gzip: bool) -> Published:
    """Write the events in order of time, a file for every half a million.

    Raises:
        BadRecipe: when the directory is there already.
    """
    event = target.read(tables.EVENT)
    total = event.count()
    carried = carrying(event)
    files = max(1, total // EVENTS_PER_FILE)
    # An event may have come with line breaks of its own; between JSON's words they mean nothing.
    lines = (
        carried.repartitionByRange(files, "key")
        .sortWithinPartitions("key")
        .select(F.translate("raw", "\r\n", "  ").alias("value"))
    )
    try:
        lines.write.text(directory, compression="gzip" if gzip else "none")
    except AnalysisException as error:
        if error.getCondition() != TAKEN:
            raise
        raise BadRecipe("publish", [f"{directory} is there already; name a new one"]) from error
    return Published(total, event.sparkSession.read.text(directory).count())
