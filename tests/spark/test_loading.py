"""A job must not wait for what is not needed to begin."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("httpx2", "openlineage", "requests", "sqlglot", "structlog", "yaml")


def test_tracking_is_loaded_without_what_its_own_thread_loads_later() -> None:
    program = f"import sys, mainstem.spark; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"
