"""The kept answers are still those of the real Java classes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mainstem.lab.services.java import find_java
from mainstem.lab.services.library import Library

SCRIPT = Path(__file__).parents[3] / "scripts" / "java_oracle" / "make_cases.py"
EVERY = 9


def compiler() -> str | None:
    beside = find_java(os.environ).with_name("javac")
    return str(beside) if beside.exists() else shutil.which("javac")


@pytest.mark.lab
def test_java_still_answers_as_it_did(library: Library) -> None:
    if compiler() is None:
        pytest.skip("no javac: a JDK is needed to ask Java")
    asked = subprocess.run(
        [sys.executable, SCRIPT, "--check", str(EVERY)], check=False, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stdout + asked.stderr
    assert " 0 differ" in asked.stdout
