"""What a committed transaction changed; the graph in memory and the live page follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mainstem.serve.model.job import Reach


@dataclass(frozen=True, slots=True)
class RunChange:
    """A run that some event spoke of."""

    run_id: str
    job: int
    state: str


@dataclass(slots=True)
class Changes:
    """Numbers of what changed."""

    events: int = 0
    jobs: dict[int, Reach] = field(default_factory=dict[int, Reach])
    """Every job spoken of, with what it reads and writes now."""

    runs: list[RunChange] = field(default_factory=list[RunChange])
    datasets: set[int] = field(default_factory=set[int])
    aliases: bool = False
    """Whether some symlink was said that was not known."""
