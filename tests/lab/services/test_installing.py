"""What a start that outruns an installation waits for."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mainstem.errors import ServiceFailed
from mainstem.lab.services.installing import await_package

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("late_package", None)


def test_a_package_is_there_once_its_installer_has_ended(site: Path) -> None:
    code = f"import time; time.sleep(0.4); open({str(site / 'late_package.py')!r}, 'w').close()"
    # Nobody asks for its exit code: it stays a zombie, as under a shell that waits for another.
    installer = subprocess.Popen([sys.executable, "-I", "-S", "-c", code])
    assert await_package("late_package", installer.pid) == "installed"
    assert (site / "late_package.py").exists()
    assert installer.wait() == 0


def test_an_installer_that_brought_nothing_is_told(site: Path) -> None:
    installer = subprocess.Popen([sys.executable, "-I", "-S", "-c", ""])
    installer.wait()
    with pytest.raises(ServiceFailed, match="late_package was not installed"):
        await_package("late_package", installer.pid)
    assert not (site / "late_package.py").exists()
