"""Each import contract is worth something only if it catches: one violation planted for each."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PLANTED = {
    "Programs stand side by side": ("names/planted.py", "import mainstem.outbox"),
    "The watcher reads downwards": ("watch/connect/planted.py", "import mainstem.watch.events"),
    "The backend reads downwards": ("serve/model/planted.py", "import mainstem.serve.api"),
    "The pipeline reads downwards": (
        "pipeline/steps/planted.py",
        "import mainstem.pipeline.jobs.build",
    ),
    "Thinking rooms do no I/O": ("watch/runs/planted.py", "import sqlite3"),
    "Resolver families do not know each other": (
        "watch/resolvers/families/planted.py",
        "import mainstem.watch.resolvers.families.generic",
    ),
    "The lab uses the mainstem from outside": ("lab/planted.py", "import mainstem.watch.loop"),
    "No cycles anywhere": ("watch/connect/snapshot.py", "import mainstem.watch.connect.client"),
}


@pytest.fixture(scope="module")
def copy_of_the_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", house)
    shutil.copytree(
        ROOT / "src", house / "src", ignore=shutil.ignore_patterns("__pycache__", "static")
    )
    return house


def verdicts(house: Path) -> dict[str, str]:
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=house,
        env={"PYTHONPATH": str(house / "src"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.rsplit(" ", 1) for line in ran.stdout.splitlines()]
    return {line[0]: line[1] for line in lines if line[-1] in {"KEPT", "BROKEN"}}


def test_every_contract_has_a_violation_to_plant() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert set(PLANTED) == {contract["name"] for contract in contracts}


def test_a_planted_violation_of_each_contract_is_caught(copy_of_the_house: Path) -> None:
    source = copy_of_the_house / "src" / "mainstem"
    kept = {}
    for file, statement in PLANTED.values():
        path = source / file
        kept[path] = path.read_text() if path.exists() else None
        path.write_text((kept[path] or '"""Planted."""\n') + f"\n\n{statement}  # planted\n")
    caught = verdicts(copy_of_the_house)
    for path, before in kept.items():
        path.unlink() if before is None else path.write_text(before)
    assert {name: caught.get(name) for name in PLANTED} == dict.fromkeys(PLANTED, "BROKEN")
    assert set(verdicts(copy_of_the_house).values()) == {"KEPT"}


def test_a_room_that_is_not_declared_is_caught(copy_of_the_house: Path) -> None:
    room = copy_of_the_house / "src" / "mainstem" / "undeclared"
    room.mkdir()
    (room / "__init__.py").write_text('"""Planted."""\n')
    try:
        assert verdicts(copy_of_the_house) == {} or "BROKEN" in verdicts(copy_of_the_house).values()
    finally:
        shutil.rmtree(room)
