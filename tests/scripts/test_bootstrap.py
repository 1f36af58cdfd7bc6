"""The environment remembers what it has, and only what is missing is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Setup:
    """The script with a virtual environment of its own, and pip's arguments written down."""

    def __init__(self, venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "scripts/bootstrap.py")
        assert spec
        assert spec.loader
        self._script: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self._script)
        self._monkeypatch = monkeypatch
        self.installed: list[tuple[str, ...]] = []
        self.files = "one"
        venv.mkdir()

        def install(_python: Path, *what: str) -> None:
            self.installed.append(tuple(one.replace(str(ROOT), "ROOT") for one in what))

        monkeypatch.setattr(self._script, "VENV", venv)
        monkeypatch.setattr(self._script, "make_environment", lambda _: venv / "bin" / "python")
        monkeypatch.setattr(self._script, "install", install)
        monkeypatch.setattr(self._script, "fingerprint", lambda: self.files)

    def ask_for(self, extras: str) -> None:
        self._monkeypatch.setattr("sys.argv", ["bootstrap.py", extras])
        self._script.main()


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    return Setup(tmp_path / "venv", monkeypatch)


def test_what_is_there_is_not_installed_again(setup: Setup) -> None:
    setup.ask_for("serve,lab")
    setup.ask_for("lab")
    assert setup.installed == [("-e", "ROOT[lab,serve]")]


def test_what_is_asked_for_later_is_added_and_leaves_the_product_alone(setup: Setup) -> None:
    setup.ask_for("serve,lab")
    setup.ask_for("lab,spark,dev")
    setup.ask_for("dev,serve")
    assert setup.installed == [("-e", "ROOT[lab,serve]"), ("mainstem[dev,spark]",)]


def test_everything_is_installed_anew_when_the_versions_changed(setup: Setup) -> None:
    setup.ask_for("serve,lab")
    setup.files = "another"
    setup.ask_for("lab")
    assert setup.installed[-1] == ("-e", "ROOT[lab]")
