"""The shapes that ``/api/v1`` adds to Marquez's; Marquez's own are held by recorded answers."""

from __future__ import annotations

from pydantic import BaseModel


class BatchSummary(BaseModel):
    """How many events were taken."""

    received: int
    successful: int
    failed: int


class BatchResult(BaseModel):
    """The answer to one event: 201, or why it was refused."""

    status: int
    message: str | None = None


class FailedEvent(BaseModel):
    """An event that was refused, by its place in the batch."""

    index: int
    code: int
    message: str


class BatchAnswer(BaseModel):
    """The answer to a batch: one result per event, in order."""

    summary: BatchSummary
    results: list[BatchResult]
    failedEvents: list[FailedEvent]
