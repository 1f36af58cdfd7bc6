"""A program for the kill test: stores numbered events beside its own counter, and drains them.

Usage: killed_program.py JOURNAL FILE URL EVENTS. Says ``ready`` once it works and ``done`` once
everything is delivered.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mainstem.outbox import Drainer, Outbox, OutboxItem
from mainstem.outbox.destinations.file import FileDestination
from mainstem.outbox.destinations.http import HttpDestination, HttpSettings

RUNS = 5


def main() -> None:
    journal, file, url, events = sys.argv[1:]
    box = Outbox.open(Path(journal))
    with box.transaction() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS told (n INTEGER PRIMARY KEY)")
    drainer = Drainer(
        box,
        [
            FileDestination("file", Path(file), append=True),
            HttpDestination("http", HttpSettings(url)),
        ],
    )
    drainer.start()
    say("ready")
    while (number := store_next(box, int(events))) is not None:
        if number % 10 == 0:
            drainer.wake()
    assert drainer.drain_until_empty(240)
    drainer.stop()
    say("done")


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def store_next(box: Outbox, events: int) -> int | None:
    """Count one further and store its event, both or neither; None when all are stored."""
    with box.transaction() as connection:
        number = connection.execute("SELECT COUNT(*) FROM told").fetchone()[0]
        if number == events:
            return None
        connection.execute("INSERT INTO told VALUES (?)", (number,))
        run = f"run-{number % RUNS}"
        box.append(connection, [OutboxItem(run, b'{"key":"%s","n":%d}' % (run.encode(), number))])
        return number


if __name__ == "__main__":
    main()
