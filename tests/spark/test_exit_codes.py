"""The code that a program leaves with, heard before it is gone; no Spark is needed for that."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from mainstem.spark.endings import Endings
from mainstem.spark.runs import Telling
Endings(lambda outcome: print(outcome.telling, outcome.failure), Telling.COMPLETE).hook()
"""


SEES_ALL = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="before Python 3.12 nobody is told of a raised exit"
)
CAUGHT = """
try:
    exit(3)
except SystemExit:
    pass
"""


@pytest.mark.parametrize(
    ("leaving", "code", "told"),
    [
        ("exit(3)", 3, "FAIL Failure(message='exit code 3'"),
        ("quit('password=hunter2')", 1, "FAIL Failure(message='exit with a message'"),
        pytest.param(
            "raise SystemExit(3)", 3, "FAIL Failure(message='exit code 3'", marks=SEES_ALL
        ),
        pytest.param(CAUGHT, 0, "COMPLETE None", marks=SEES_ALL),
    ],
)
def test_the_code_is_heard(leaving: str, code: int, told: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM + leaving], check=False, capture_output=True, text=True
    )
    assert ran.returncode == code, ran.stderr
    assert ran.stdout.startswith(told)
    assert "hunter2" not in ran.stdout
