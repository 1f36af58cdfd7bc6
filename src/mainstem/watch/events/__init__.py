"""What the run machine says, told in OpenLineage."""

from mainstem.watch.events.subject import Subject

__all__ = ["Subject"]
