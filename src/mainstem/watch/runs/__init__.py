"""When a connector's run starts, goes on and ends: a pure state machine."""

from mainstem.watch.runs.machine import advance, forget, leave
from mainstem.watch.runs.model import (
    Policy,
    RunMemory,
    Sighting,
    Telling,
    Transition,
)

__all__ = ["Policy", "RunMemory", "Sighting", "Telling", "Transition", "advance", "forget", "leave"]
