"""How much memory a process and all that it started hold."""

from __future__ import annotations

import psutil


def memory_of(pid: int | None) -> int:
    """Resident bytes, what several processes share counted for each; 0 for one that is gone."""
    if pid is None:
        return 0
    try:
        first = psutil.Process(pid)
        family = [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    return sum(_resident(each) for each in family)


def _resident(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0
