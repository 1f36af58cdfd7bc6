"""What the run machine says, told in OpenLineage."""

from mainstem.watch.events.building import Subject, build, end_from_memory

__all__ = ["Subject", "build", "end_from_memory"]
