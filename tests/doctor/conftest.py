"""The verb, run in this process with a state directory of its own."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

from doctor_drawing import Doctor, Ran
from mainstem.cli.main import main


@pytest.fixture
def doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Doctor:
    for name in ("MAINSTEM_JOURNAL", "OPENLINEAGE_URL", "OPENLINEAGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*flags: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["mainstem", "doctor", *flags])
        capsys.readouterr()
        code = 0
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Cyclopts application invoked")
            try:
                main()
            except SystemExit as ended:
                code = int(ended.code or 0)
        told = capsys.readouterr()
        return Ran(code, told.out, told.err)

    return run
