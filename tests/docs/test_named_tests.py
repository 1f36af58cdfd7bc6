"""Pages that name the tests which answer them: each exists, and none is skipped."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_A_TEST = {"complaints": "measured, not tested", "security": "not there yet"}
"""The one row of each page that names none says these words instead."""

PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text() for name in WITHOUT_A_TEST}
NAMED = {
    (file, name)
    for page in PAGES.values()
    for file, names in re.findall(r"`([\w/.-]+\.(?:ts|py))`: ((?:\*[^*]+\*(?:; )?)+)", page)
    for name in re.findall(r"\*([^*]+)\*", names)
}
SKIPPING = re.compile(r"\b(pytest|mark)\.(skip|skipif|xfail|importorskip)\b")
SKIPPING_TS = re.compile(r"\b(test|describe)(\.describe)?\.(skip|fixme|fail|todo|only)\b")


def skips(sources: list[str], name: str) -> bool:
    """Whether a test of the first source may be skipped: by a mark, itself, or what it is given."""
    modules = [ast.parse(source) for source in sources]
    functions = {
        one.name: one
        for module in reversed(modules)
        for one in ast.walk(module)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    top = [one for one in modules[0].body if not isinstance(one, ast.FunctionDef | ast.ClassDef)]
    looked_at: set[str] = set()
    wanted = [name]
    while wanted:
        function = functions.get(wanted.pop())
        if function is None or function.name in looked_at:
            continue
        looked_at.add(function.name)
        # The name of a function that it calls, or of a fixture that it is given.
        wanted += [one.id for one in ast.walk(function) if isinstance(one, ast.Name)]
        wanted += [one.arg for one in function.args.args]
    parts = [*top, *(functions[one] for one in looked_at)]
    return any(SKIPPING.search(ast.unparse(one)) for one in parts)


def sources_of(file: Path) -> list[str]:
    """A file of tests and the files that give it fixtures, the nearest first."""
    above = [
        folder / "conftest.py"
        for folder in file.parents
        if ROOT / "tests" in (folder, *folder.parents)
    ]
    return [file.read_text(), *(one.read_text() for one in above if one.is_file())]


@pytest.mark.parametrize("page", PAGES)
def test_every_row_but_one_names_a_test(page: str) -> None:
    rows = [line for line in PAGES[page].splitlines() if line.startswith("| ")][1:]
    (without,) = [row for row in rows if "*" not in row]
    assert WITHOUT_A_TEST[page] in without
    assert all((ROOT / bench).is_file() for bench in re.findall(r"`(bench/\w+\.py)`", without))


@pytest.mark.parametrize(("file", "name"), sorted(NAMED))
def test_it_exists_and_is_not_skipped(file: str, name: str) -> None:
    if file.endswith(".ts"):
        said = (ROOT / file).read_text()
        assert re.search(rf'\btest\("{re.escape(name)}"', said)
        assert not SKIPPING_TS.search(said)
    else:
        sources = sources_of(ROOT / file)
        assert f"def {name}(" in sources[0]
        assert not skips(sources, name)


@pytest.mark.parametrize(
    ("source", "is_skipped"),
    [
        ("def test_a(): assert f()\ndef f(): ...", False),
        ("def test_a(): ...\n@pytest.mark.skip\ndef test_b(): ...", False),
        ("@pytest.mark.skip\ndef test_a(): ...", True),
        ("@pytest.mark.skipif(True, reason='x')\ndef test_a(): ...", True),
        ("@pytest.mark.xfail\ndef test_a(): ...", True),
        ("pytestmark = pytest.mark.skip\ndef test_a(): ...", True),
        ("x = pytest.importorskip('x')\ndef test_a(): ...", True),
        ("def test_a(): pytest.skip('no')", True),
        ("def test_a(server): ...\ndef server(): pytest.skip('none')", True),
        ("def test_a(): wait()\ndef wait(): pytest.skip('none')", True),
    ],
)
def test_a_skip_is_seen_wherever_it_stands(source: str, is_skipped: bool) -> None:
    assert skips([source], "test_a") is is_skipped


def test_a_skip_in_a_fixture_beside_the_tests_is_seen() -> None:
    assert skips(["def test_a(store): ...", "def store(): pytest.skip('none')"], "test_a")
