"""Every connector family is documented and has cases of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mainstem.watch.resolvers import FAMILIES as RESOLVERS
from mainstem.watch.resolvers.families import __path__ as families_path
from mainstem.watch.resolvers.untold_columns import unexplained

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "watch" / "resolvers" / "cases"
FAMILIES = sorted(
    path.stem for path in Path(families_path[0]).glob("*.py") if path.stem != "__init__"
)
WITHOUT_CLASSES = {"generic"}
FEWEST_CASES = 3


def test_the_table_of_families_is_what_the_code_says() -> None:
    script = ROOT / "scripts" / "make_family_table.py"
    ran = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_every_family_has_at_least_three_cases_of_our_own() -> None:
    counted = {name: len(list(CASES.glob(f"{name}/*/connector.json"))) for name in FAMILIES}
    few = {name for name, count in counted.items() if count < FEWEST_CASES}
    assert few - WITHOUT_CLASSES == set()


def test_every_family_tells_its_columns_or_says_why_not() -> None:
    assert unexplained(RESOLVERS) == []
