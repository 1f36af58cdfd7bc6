"""The page of complaints names tests that exist and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "complaints.md").read_text()
NAMED = [
    (file, name)
    for file, names in re.findall(r"`([\w/.-]+\.(?:ts|py))`: ((?:\*[^*]+\*(?:; )?)+)", PAGE)
    for name in re.findall(r"\*([^*]+)\*", names)
]


def test_every_complaint_but_the_one_that_is_measured_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]
    without = [row for row in rows if "*" not in row]
    assert len(without) == 1
    assert all((ROOT / bench).is_file() for bench in re.findall(r"`(bench/\w+\.py)`", without[0]))


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED)))
def test_it_exists_and_is_not_skipped(file: str, name: str) -> None:
    said = (ROOT / file).read_text()
    assert f"def {name}(" in said or re.search(rf'\btest\("{re.escape(name)}"', said)
