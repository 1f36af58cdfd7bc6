"""A Python package that another process may still be installing while services start."""

from __future__ import annotations

import importlib
import importlib.util
import time

import psutil

from mainstem.errors import ServiceFailed


def await_package(package: str, installer: int) -> str:
    """Return when a process that installs a package has ended; raises if it ended without it."""
    while _is_working(installer):
        time.sleep(0.3)
    importlib.invalidate_caches()
    if importlib.util.find_spec(package) is None:
        raise ServiceFailed("lab", f"{package} was not installed; what pip said stands above")
    return "installed"


def _is_working(process: int) -> bool:
    try:
        # Who has ended is still there until the shell that started it asks for its exit code.
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
