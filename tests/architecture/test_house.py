"""What import-linter cannot see about the house."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "mainstem"
FILES = sorted(SOURCE.rglob("*.py"))
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "base"}
THINKING_ROOMS = (
    "names",
    "said",
    "watch/transforms",
    "watch/resolvers",
    "watch/runs",
    "watch/events",
)


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [file for file in FILES if file.stem in NAMES_THAT_SAY_NOTHING] == []


@pytest.mark.parametrize("room", THINKING_ROOMS)
def test_thinking_rooms_read_neither_environment_nor_network(room: str) -> None:
    for file in sorted((SOURCE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Import(names=names):
                    imported = {alias.name for alias in names}
                case ast.ImportFrom(module=str(module)):
                    imported = {module}
                case _:
                    continue
            assert not imported & {"os", "urllib.request", "http.client", "time", "random"}, file


def test_steps_of_the_pipeline_neither_read_nor_write() -> None:
    steps = sorted((SOURCE / "pipeline" / "steps").glob("*.py"))
    assert steps
    for file in steps:
        text = file.read_text()
        found = [word for word in (".read.", ".readStream", ".write.", ".writeTo") if word in text]
        assert not found, f"{file.name}: {found}"
