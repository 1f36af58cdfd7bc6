"""What the run machine says, told in OpenLineage."""

from mainstem.watch.events.building import Subject, build, end_from_memory
from mainstem.watch.events.children import children_of

__all__ = ["Subject", "build", "children_of", "end_from_memory"]
