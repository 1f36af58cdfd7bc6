"""What a committed transaction changed; the graph in memory and the live page follow from it."""

from __future__ import annotations

from msgspec import Struct, field

from mainstem.serve.model.job import Reach


class RunChange(Struct, frozen=True):
    """A run that some event spoke of."""

    run_id: str
    job: int
    state: str


class Changes(Struct):
    """Numbers of what changed."""

    events: int = 0
    jobs: dict[int, Reach] = field(default_factory=dict[int, Reach])
    """Every job spoken of, with what it reads and writes now."""

    runs: list[RunChange] = field(default_factory=list[RunChange])
    datasets: set[int] = field(default_factory=set[int])
    aliases: bool = False
    """Whether some symlink was said that was not known."""
