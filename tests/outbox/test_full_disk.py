"""A real disk of 16 MiB that the journal fills: nothing is lost, and it empties itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mainstem.errors import JournalUnwritable
from mainstem.outbox import Outbox, OutboxItem
from mainstem.outbox.connection import Durability, connect
from mainstem.outbox.ledger import EMPTY_PAGES_KEPT, Ledger
from outbox.doubles import MemoryDestination, SteppedClock, open_lane, run_lane, store

PROGRAM = Path(__file__).with_name("full_disk_program.py")
ON_A_SMALL_DISK = 'mount -t tmpfs -o size=16m tmpfs "$1" && exec "$2" "$3" "$1"'
IN_ITS_OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")


def may_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = subprocess.run([*IN_ITS_OWN_MOUNTS, "true"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.skipif(not may_mount(), reason="this system lets nobody mount a small disk")
def test_a_full_disk_is_survived_and_drained(tmp_path: Path) -> None:
    script = ("sh", "-c", ON_A_SMALL_DISK, "sh", tmp_path, sys.executable, PROGRAM)
    ran = subprocess.run(
        [*IN_ITS_OWN_MOUNTS, *map(str, script)],
        env={**os.environ, "PYTHONPATH": str(PROGRAM.parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["stored"] > 100
    assert told["drained"]
    assert told["again"]
    # The one after the full disk has the number that could not be stored at first.
    assert sorted(told["numbers"]) == list(range(told["stored"] + 1))
    for key in range(3):
        of_key = [number for number in told["numbers"] if number % 3 == key]
        assert of_key == sorted(of_key)


def test_while_the_reserve_is_given_up_nothing_more_is_stored(box: Outbox) -> None:
    store(box, ("r1", "before"))
    assert box.reserve.release()
    with pytest.raises(JournalUnwritable, match="what is left is to drain"):
        store(box, ("r1", "too much"))
    destination, clock = MemoryDestination(), SteppedClock()
    run_lane(open_lane(box, destination, clock), clock, 0)
    assert destination.bodies == [b'{"is":"before"}']
    assert box.reserve.secure()
    store(box, ("r1", "after"))


def test_the_file_shrinks_after_an_outage(box: Outbox) -> None:
    with box.transaction() as connection:
        box.append(connection, [OutboxItem("r1", b"x" * 3000)] * 2000)
    destination, clock = MemoryDestination(), SteppedClock()
    run_lane(open_lane(box, destination, clock), clock, 0)
    ledger = Ledger(connect(box.path, Durability.PROCESS_DEATH), "memory")
    while ledger.give_space_back():
        pass
    ledger.fold_log()
    assert box.path.stat().st_size < (EMPTY_PAGES_KEPT + 100) * 4096
