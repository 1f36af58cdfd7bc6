"""One OpenLineage event as the fold sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.said.event import EventKind, JobName, Mention
    from mainstem.said.json_values import Json


class Event(Struct, frozen=True):
    """A valid event; ``raw`` are its bytes as received."""

    kind: EventKind
    raw: bytes
    digest: bytes
    key: str
    time: int
    type: str | None
    producer: str
    run_id: str
    """The run, as a UUID; of a declaration, a UUID made from the event itself. Never shown then."""

    run_facets: Json
    job: JobName | None
    job_facets: Json
    job_spelled: bytes
    """The job's facets in their one spelling."""

    mentions: tuple[Mention, ...]
    pairs: tuple[tuple[DatasetName, DatasetName], ...] | None
    """Which input reaches which output, where the event says it explicitly."""
