"""What every test of the outbox needs: an outbox, and a destination that fails on command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mainstem.outbox import Outbox


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Outbox]:
    with closing(Outbox.open(tmp_path / "journal.db")) as opened:
        yield opened
