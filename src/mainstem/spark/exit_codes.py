"""The code that the program leaves with, which neither exception hooks nor ``atexit`` are told.

From Python 3.12 on a monitor sees the exit leave the last frame, however it was raised. Before,
only the calls of ``sys.exit`` and its like can be heard, whether or not somebody catches them, and
``raise SystemExit(3)`` cannot.
"""

from __future__ import annotations

import builtins
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

TOOLS = (3, 4)
"""The ids of monitors that Python leaves to nobody in particular."""


def hear_exit_code(remember: Callable[[object], None]) -> list[Callable[[], None]]:
    """Call ``remember`` with the code of an exit; the answers take that back."""
    if sys.version_info >= (3, 12):
        free = [tool for tool in TOOLS if sys.monitoring.get_tool(tool) is None]
        if free:
            return [_monitor(free[0], remember)]
    exits = ((sys, "exit"), (builtins, "exit"), (builtins, "quit"))
    return [_hook(*one, remember) for one in exits if hasattr(*one)]


def _monitor(tool: int, remember: Callable[[object], None]) -> Callable[[], None]:
    monitoring: Any = sys.monitoring  # pyright: ignore[reportAttributeAccessIssue] - 3.12

    def unwound(_code: CodeType, _offset: int, error: BaseException) -> None:
        if isinstance(error, SystemExit) and _on_main_thread():
            frame = sys._getframe(1)  # noqa: SLF001 - the frame that is being left
            if frame.f_back is None:
                remember(error.code)

    unwinding = monitoring.events.PY_UNWIND
    monitoring.use_tool_id(tool, "mainstem")
    monitoring.register_callback(tool, unwinding, unwound)
    monitoring.set_events(tool, unwinding)

    def undo() -> None:
        monitoring.set_events(tool, 0)
        monitoring.register_callback(tool, unwinding, None)
        monitoring.free_tool_id(tool)

    return undo


def _hook(owner: Any, name: str, remember: Callable[[object], None]) -> Callable[[], None]:
    before = getattr(owner, name)

    def remember_and_leave(code: Any = None, /) -> Any:
        if _on_main_thread():
            remember(code)
        before(code)

    setattr(owner, name, remember_and_leave)

    def undo() -> None:
        if getattr(owner, name) is remember_and_leave:
            setattr(owner, name, before)

    return undo


def _on_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
