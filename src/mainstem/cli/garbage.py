"""How often Python looks for garbage that refers to itself."""

from __future__ import annotations

import gc


def seldom_look_for_cycles() -> None:
    """Let Python look for garbage in cycles seldom, and never among what is there already.

    What a command loads stays, and events are many small objects without cycles: looking for some
    costs a tenth of a command's start and a quarter of the time that an event takes.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 50, 100)


def leave_it_behind() -> None:
    """Let Python not look through everything once more when it ends.

    The system takes it all back at once; looking for cycles takes longer than the rest of the end.
    """
    gc.freeze()
