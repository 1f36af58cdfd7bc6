"""What a streaming query says of each batch, and what it adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import orjson
from msgspec import Struct
from msgspec.structs import replace

Offsets: TypeAlias = Mapping[str, Mapping[str, int]]
"""By topic and partition."""

NO_WATERMARK_YET = "1970-01-01T00:00:00.000Z"
"""What Spark says before it has seen the time of any event."""


class SourceProgress(Struct, frozen=True):
    """How far one source of a query is; a position in a form that we do not know is left out."""

    rows: int
    offsets: Offsets | None = None
    snapshot_id: int | None = None
    position: int | None = None


class Progress(Struct, frozen=True):
    """One batch of a streaming query."""

    run_id: str
    batch_id: int
    output_rows: int | None
    """None when the sink does not count."""

    sources: tuple[SourceProgress, ...]
    watermark: str | None


class Activity(Struct, frozen=True):
    """All batches of a run so far."""

    batches: int = 0
    batch_id: int | None = None
    output_rows: int | None = None
    sources: tuple[SourceProgress, ...] = ()
    """Rows are those of the whole run, positions the last."""

    watermark: str | None = None

    def after(self, progress: Progress) -> Activity:
        """The same with one more batch."""
        before = self.sources
        if len(before) != len(progress.sources):
            before = tuple(SourceProgress(0) for _ in progress.sources)
        return Activity(
            batches=self.batches + 1,
            batch_id=progress.batch_id,
            output_rows=self._output_rows_after(progress),
            sources=tuple(
                replace(now, rows=now.rows + then.rows)
                for now, then in zip(progress.sources, before, strict=True)
            ),
            watermark=progress.watermark or self.watermark,
        )

    def _output_rows_after(self, progress: Progress) -> int | None:
        if progress.output_rows is None or (self.batches and self.output_rows is None):
            return None
        return (self.output_rows or 0) + progress.output_rows


def read_progress(text: str) -> Progress:
    """The progress that Spark tells as JSON, alone or inside the event that brought it."""
    event: dict[str, Any] = orjson.loads(text)
    told: dict[str, Any] = event.get("progress", event)
    rows = told.get("sink", {}).get("numOutputRows")
    watermark = told.get("eventTime", {}).get("watermark")
    return Progress(
        run_id=told["runId"],
        batch_id=told["batchId"],
        output_rows=rows if isinstance(rows, int) and rows >= 0 else None,
        sources=tuple(_source(source) for source in told.get("sources", ())),
        watermark=watermark if watermark != NO_WATERMARK_YET else None,
    )


def topics_of(progress: Progress) -> frozenset[str]:
    """The topics that the batch's Kafka sources have read."""
    return frozenset(topic for source in progress.sources for topic in source.offsets or ())


def _source(told: Mapping[str, Any]) -> SourceProgress:
    rows = max(0, told.get("numInputRows") or 0)
    end = told.get("endOffset")
    if isinstance(end, int):
        return SourceProgress(rows, position=end)
    if not isinstance(end, dict):
        return SourceProgress(rows)
    offsets = cast("dict[str, Any]", end)
    if isinstance(snapshot := offsets.get("snapshot_id"), int):
        return SourceProgress(rows, snapshot_id=snapshot)
    if isinstance(position := offsets.get("logOffset"), int):
        return SourceProgress(rows, position=position)
    if offsets and all(_is_partitions(value) for value in offsets.values()):
        return SourceProgress(rows, offsets=offsets)
    return SourceProgress(rows)


def _is_partitions(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    partitions = cast("dict[str, object]", value)
    return all(isinstance(offset, int) for offset in partitions.values())
