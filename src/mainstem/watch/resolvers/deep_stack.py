"""Work that may nest deeper than the stack of the thread that asks for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
_STACK = 256 * 1024 * 1024
"""Only addresses: memory is taken for the part that is used."""

_setting = threading.Lock()


def on_a_deep_stack(work: Callable[[], _T]) -> _T:
    """The result of the work, done on a stack of its own; what it raises is raised here.

    Python stops its own recursion in time, but compiled code ends the whole process where its
    stack ends, and a thread's may be as small as 128 KB.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        with _setting:
            before = threading.stack_size(_STACK)
            try:
                working = thread.submit(work)
            except RuntimeError as refused:
                raise CannotTell("the machine has no room for a deep stack") from refused
            finally:
                threading.stack_size(before)
        return working.result()
