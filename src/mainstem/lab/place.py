"""Where the files of the running lab lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from pathlib import Path


class Place(Struct, frozen=True):
    """The lab's directory; everything in it is made anew by every start."""

    directory: Path

    @property
    def lock(self) -> Path:
        """Held by the supervisor as long as the lab runs; outside, so that it is never removed."""
        return self.directory.with_name(f"{self.directory.name}.lock")

    @property
    def state(self) -> Path:
        """How to reach the supervisor; readable by its owner alone."""
        return self.directory / "state.json"

    @property
    def steps(self) -> Path:
        """What was started, one line per change."""
        return self.directory / "steps.ndjson"

    @property
    def supervisor_log(self) -> Path:
        """What the supervisor itself has to say."""
        return self.directory.with_name(f"{self.directory.name}.log")

    @property
    def services(self) -> Path:
        """Data, settings and logs of the services, one directory each."""
        return self.directory / "services"

    @property
    def events(self) -> Path:
        """The lineage that is told, one OpenLineage event per line; the agent's is beside it."""
        return self.directory / "events.ndjson"

    def events_of_agent(self, job: str) -> Path:
        """What OpenLineage's agent tells of one job; apart, since it writes its lines in pieces."""
        return self.directory / f"agent-of-{job}.ndjson"

    def every_events_file(self) -> tuple[Path, ...]:
        """The files that hold all that was told so far."""
        return (self.events, *sorted(self.directory.glob("agent-of-*.ndjson")))

    @property
    def openlineage(self) -> Path:
        """Where every program of the lab is told to tell its lineage."""
        return self.directory / "openlineage.yml"
