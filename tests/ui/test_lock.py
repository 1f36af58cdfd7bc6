"""The lock of the page's packages names versions and checksums, and no place to load them from."""

from __future__ import annotations

import json
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "ui" / "package-lock.json"


def test_the_lock_holds_no_download_address() -> None:
    packages: dict[str, dict[str, object]] = json.loads(LOCK.read_text())["packages"]
    assert len(packages) > 100
    assert [name for name, said in packages.items() if "resolved" in said] == []
    assert [name for name, said in packages.items() if name and "integrity" not in said] == []
