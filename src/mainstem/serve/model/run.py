"""A run as the fold of its events: any order and any repetition of them gives the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from mainstem.said.event import END_STATES, EventKind
from mainstem.said.json_values import as_object
from mainstem.said.registers import Facets, earliest
from mainstem.said.times import SECOND
from mainstem.serve.model.job import Reach

if TYPE_CHECKING:
    from mainstem.serve.model.event import Event

MISSED_HEARTBEATS = 3
LONGEST_WINDOW = 10**9


class Touch(Struct):
    """What a run did with one dataset on one side."""

    first: int
    """When it was first said."""

    last: str
    """The order key of the last event that said it."""

    version_key: str
    """The order key of the event whose schema made ``version``; empty if none had one."""

    version: str
    facets: Facets
    """The input or output facets."""

    columns_told: int | None = None
    """When it was first told how the columns are made."""

    columns_key: str = ""
    """The order key of the last event that told it; empty if none did."""

    columns: str = ""
    """The digest of what that event told."""


Side = tuple[int, bool]
"""A dataset's number, and whether it was written."""


class Run(Struct):
    """One run, or one declaration of a job, which is folded alike."""

    id: str
    job_id: int
    """The job of its first event, should producers use one run id for two jobs."""

    job_key: str
    declared: bool
    created: int
    updated: int
    started: int | None = None
    running: int | None = None
    end_key: str | None = None
    end_type: str | None = None
    ended: int | None = None
    typed: bool = False
    facets: Facets = field(default_factory=Facets)
    job_facets: Facets = field(default_factory=Facets)
    touches: dict[Side, Touch] = field(default_factory=dict[Side, Touch])
    pairs: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    explicit: str | None = None
    """The order key of the last event that paired inputs with outputs."""

    named: str | None = None
    """The order key of the last event that named datasets."""

    @property
    def state(self) -> str:
        """Marquez's word for where the run stands."""
        if self.end_type is not None:
            return END_STATES[self.end_type]
        return "RUNNING" if self.typed else "NEW"

    @property
    def started_at(self) -> int | None:
        """When it started; a run first seen while it runs started no later than that."""
        return self.running if self.started is None else self.started

    @property
    def size(self) -> int:
        """About how many bytes it takes in memory."""
        touched = sum(600 + touch.facets.size for touch in self.touches.values())
        return 1000 + self.facets.size + self.job_facets.size + touched + 200 * len(self.pairs)

    @property
    def snapshot(self) -> bool:
        """Whether each event tells everything, so that the last one stands alone."""
        pattern = self._emission_pattern
        return (
            pattern.get("eventTrigger") == "PERIODIC"
            and pattern.get("eventContentMode") == "COMPLETE_SNAPSHOT"
        )

    @property
    def overdue_after(self) -> int | None:
        """The instant from which a running run is stale, where it promised a heartbeat."""
        window = self._emission_pattern.get("windowDuration")
        if not isinstance(window, int | float) or self.end_type is not None:
            return None
        if not 0 < window < LONGEST_WINDOW:
            return None
        return self.updated + int(window * MISSED_HEARTBEATS * SECOND)

    @property
    def sides(self) -> list[Side]:
        """The datasets it reads and writes, in order."""
        only = self.named if self.snapshot else None
        return sorted(
            side for side, touch in self.touches.items() if only is None or touch.last == only
        )

    @property
    def standing_pairs(self) -> list[tuple[int, int]] | None:
        """Which input reaches which output; None means every input reaches every output."""
        only = self.named if self.snapshot else None
        if self.explicit is None or (only is not None and self.explicit != only):
            return None
        return sorted(pair for pair, last in self.pairs.items() if only is None or last == only)

    @property
    def reach(self) -> Reach:
        """What it reads and writes."""
        sides, pairs = self.sides, self.standing_pairs
        return Reach(
            tuple(number for number, written in sides if not written),
            tuple(number for number, written in sides if written),
            None if pairs is None else tuple(pairs),
        )

    @property
    def _emission_pattern(self) -> dict[str, Any]:
        return as_object(self.job_facets.get("jobType").get("emissionPattern"))


def new_run(event: Event, job_id: int) -> Run:
    """The run that an event opens."""
    declared = event.kind is EventKind.JOB
    return Run(event.run_id, job_id, event.key, declared, event.time, event.time)


def fold_event(run: Run, event: Event) -> None:
    """Add what one event says of the run itself."""
    run.created = min(run.created, event.time)
    run.updated = max(run.updated, event.time)
    run.typed = run.typed or event.type is not None
    if event.type == "START":
        run.started = earliest(run.started, event.time)
    elif event.type == "RUNNING":
        run.running = earliest(run.running, event.time)
    elif event.type in END_STATES and (run.end_key is None or event.key < run.end_key):
        run.end_key, run.end_type, run.ended = event.key, event.type, event.time
    run.facets.say(event.run_facets, event.key)
    run.job_facets.say(event.job_facets, event.key, event.job_spelled)


def fold_touch(
    run: Run,
    side: Side,
    event: Event,
    *,
    version: str | None,
    unsaid: str,
    io_facets: dict[str, Any],
) -> None:
    """Add that an event names a dataset on one side; ``version`` is None if it has no schema."""
    touch = run.touches.get(side)
    if touch is None:
        touch = Touch(event.time, event.key, "", unsaid, Facets())
        run.touches[side] = touch
    touch.first = min(touch.first, event.time)
    touch.last = max(touch.last, event.key)
    if version is not None and event.key > touch.version_key:
        touch.version, touch.version_key = version, event.key
    touch.facets.say(io_facets, event.key)
    run.named = max(run.named or "", event.key)


def fold_columns(run: Run, dataset: int, columns: str, event: Event) -> None:
    """Add that an event tells how the columns of a dataset that the run writes are made."""
    touch = run.touches[dataset, True]
    touch.columns_told = earliest(touch.columns_told, event.time)
    if event.key >= touch.columns_key:
        touch.columns_key, touch.columns = event.key, columns


def fold_pairs(run: Run, pairs: list[tuple[int, int]], key: str) -> None:
    """Add that an event pairs inputs with outputs explicitly."""
    run.explicit = max(run.explicit or "", key)
    for pair in pairs:
        run.pairs[pair] = max(run.pairs.get(pair, ""), key)
