"""What is published holds the page: a wheel made from the source distribution, without Node."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from mainstem.serve.api.page import STATIC

ROOT = Path(__file__).resolve().parents[2]
PAGE = "mainstem/serve/static"
LARGEST = 3_000_000

pytestmark = pytest.mark.browser


def hatchling(folder: Path, target: str, into: Path) -> Path:
    ran = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into],
        cwd=folder,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (made,) = into.iterdir()
    return made


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert (STATIC / "index.html").exists(), "the page is not built: run make page"
    return hatchling(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(source) as archive:
        archive.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    return hatchling(folder, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_every_file_of_the_page_once(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = Counter(archive.namelist())
    assert [name for name, count in names.items() if count > 1] == []
    built = {f"{PAGE}/{one.relative_to(STATIC)}" for one in STATIC.rglob("*") if one.is_file()}
    assert f"{PAGE}/index.html" in built
    assert len([name for name in built if "/assets/" in name]) > 3
    assert {name for name in names if name.startswith(PAGE)} == built


def test_the_wheel_stays_small_and_holds_no_sources_of_the_page(wheel: Path) -> None:
    assert wheel.stat().st_size <= LARGEST
    with zipfile.ZipFile(wheel) as archive:
        assert [name for name in archive.namelist() if "node_modules" in name] == []


def test_without_page_and_node_nothing_is_published(source: Path, tmp_path: Path) -> None:
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    (folder / "src" / PAGE / "index.html").unlink()
    ran = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "out"],
        cwd=folder,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode != 0
    assert not list((tmp_path / "out").glob("*.whl"))
