"""What a process holds is counted with all that it started."""

from __future__ import annotations

import os
import subprocess
import sys

from mainstem.lab.services.memory import memory_of

HELD = 60_000_000
HOLDS = f"held = bytes(1) * {HELD}; print('holds', flush=True); import time; time.sleep(60)"
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=False)"


def test_children_count() -> None:
    command = [sys.executable, "-I", "-S", "-c", PARENT, HOLDS]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == "holds\n"
        assert memory_of(parent.pid) > HELD
        os.killpg(parent.pid, 9)
    assert memory_of(parent.pid) == 0


def test_what_does_not_run_holds_nothing() -> None:
    assert memory_of(None) == 0
