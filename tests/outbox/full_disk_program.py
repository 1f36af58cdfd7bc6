"""A program for the full-disk test: fills a small disk, then drains it.

Usage: full_disk_program.py DIRECTORY. Says what happened as one line of JSON.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from pathlib import Path

import structlog

from mainstem.errors import DestinationBusy, JournalUnwritable
from mainstem.outbox import Drainer, Outbox, OutboxItem, StoredEvent
from mainstem.outbox.patience import Schedule
from outbox.doubles import MemoryDestination

PATIENT_SECONDS = 60.0


class Backend:
    def __init__(self) -> None:
        self.is_up = False

    def __call__(self, event: StoredEvent) -> None:
        if not self.is_up:
            raise DestinationBusy("memory", "down", whole=True)


def store(box: Outbox, number: int) -> bool:
    try:
        with box.transaction() as connection:
            box.append(connection, [OutboxItem(f"r{number % 3}", b"%06d" % number + b"x" * 2000)])
    except JournalUnwritable:
        return False
    return True


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    box = Outbox.open(Path(sys.argv[1]) / "journal.db")
    backend = Backend()
    destination = MemoryDestination(fault=backend)
    drainer = Drainer(box, [destination], schedule=Schedule(first=0.01, cap=0.05))
    drainer.start()
    stored = 0
    while store(box, stored):
        stored += 1
    backend.is_up = True
    drained = drainer.drain_until_empty(PATIENT_SECONDS)
    again = any(_later(box, stored) for _ in range(50))
    drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    numbers = [int(body[:6]) for body in destination.bodies]
    told = {"stored": stored, "drained": drained, "again": again, "numbers": numbers}
    sys.stdout.write(json.dumps(told) + "\n")


def _later(box: Outbox, number: int) -> bool:
    """The disk has room again only once the drainer has tidied up."""
    threading.Event().wait(0.2)
    return store(box, number)


if __name__ == "__main__":
    main()
