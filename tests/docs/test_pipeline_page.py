"""The page about the pipeline says what the code says of its tables, views and verbs."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mainstem.cli.pipeline import app

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/pipeline_page.py"
PAGE = (ROOT / "docs/pipeline.md").read_text()


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pipeline_page", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_on_the_page_are_those_of_the_code(maker: ModuleType) -> None:
    assert maker.made(PAGE) == PAGE, "run: python scripts/pipeline_page.py"


def test_a_column_that_is_not_on_the_page_is_noticed(maker: ModuleType) -> None:
    column = maker.TABLES[0].columns[0].name
    assert maker.made(PAGE.replace(f"| `{column}` |", "| `other` |")) == PAGE
    assert f"| `{column}` |" in PAGE


def test_the_page_is_made_without_spark() -> None:
    program = (
        "import runpy, sys; sys.argv = ['page', '--check'];"
        f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__');"
        "assert 'pyspark' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("verb", ["build", "follow", "publish"])
def test_every_verb_and_its_flags_are_on_the_page(verb: str) -> None:
    assert f"mainstem pipeline {verb}" in PAGE
    arguments = app[verb].assemble_argument_collection()
    flags = [each.name for each in arguments if each.name.startswith("--")]
    assert flags
    assert [flag for flag in flags if f"`{flag}" not in PAGE] == []
