"""What a recipe named before and names no longer: whoever looks once says its end himself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.journal import LookOutcome
from mainstem.watch.journal.journal import LEFT
from mainstem.watch.loop.plan import Step
from mainstem.watch.runs import leave

if TYPE_CHECKING:
    from datetime import datetime

    from mainstem.watch.loop.ingest_report import Told
    from mainstem.watch.loop.telling import Teller


def leave_cluster(teller: Teller, now: datetime) -> Told:
    """End the runs of a cluster that left the recipe; what was said of each connector."""
    memories = teller.journal.memories(teller.cluster)
    steps = [
        Step(name, None, leave(memory, now)[1], subject=None, summary=b"{}")
        for name, memory in sorted(memories.items())
    ]
    outcome = LookOutcome(now, trouble=LEFT)
    teller.journal.save(teller.cluster, [teller.change(step) for step in steps], outcome)
    return {
        step.connector: tuple(each.telling.value for each in step.transitions) for step in steps
    }
