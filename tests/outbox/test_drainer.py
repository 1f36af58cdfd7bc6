"""The threads around the lanes."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from mainstem.errors import DestinationBusy
from mainstem.outbox import Drainer, Outbox, OutboxReader, StoredEvent
from outbox.doubles import MemoryDestination, depth, store, texts

PATIENT_SECONDS = 30.0


def test_every_destination_gets_everything_in_order(box: Outbox) -> None:
    destinations = [MemoryDestination(name) for name in ("one", "two", "three")]
    drainer = Drainer(box, destinations)
    drainer.start()
    wanted = [str(number) for number in range(60)]
    for text in wanted:
        store(box, ("r1", text))
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    for destination in destinations:
        assert texts(destination.taken) == wanted
    assert depth(box) == 0


def test_drain_until_empty_says_when_it_did_not(box: Outbox) -> None:
    def refuse(event: StoredEvent) -> None:
        raise DestinationBusy("memory", "refused", whole=True)

    drainer = Drainer(box, [MemoryDestination(fault=refuse)])
    store(box, ("r1", "a"))
    drainer.start()
    assert not drainer.drain_until_empty(0.2)
    drainer.stop(0)
    assert depth(box) == 1


def test_stop_leaves_the_rest_while_a_send_hangs(box: Outbox) -> None:
    entered, release = threading.Event(), threading.Event()

    def hang(event: StoredEvent) -> None:
        entered.set()
        release.wait(PATIENT_SECONDS)

    drainer = Drainer(box, [MemoryDestination(fault=hang)])
    store(box, ("r1", "a"), ("r1", "b"))
    drainer.start()
    assert entered.wait(PATIENT_SECONDS)
    drainer.stop(deadline_seconds=0.1)
    assert depth(box) == 2
    release.set()


def test_stop_drains_what_can_be_drained_first(box: Outbox) -> None:
    destination = MemoryDestination()
    store(box, *[("r1", str(number)) for number in range(200)])
    drainer = Drainer(box, [destination])
    drainer.start()
    drainer.stop(PATIENT_SECONDS)
    assert len(destination.taken) == 200


def test_a_replay_by_another_process_is_seen(box: Outbox) -> None:
    destination = MemoryDestination()
    drainer = Drainer(box, [destination])
    drainer.start()
    with closing(sqlite3.connect(box.path)) as other, other:
        other.execute(
            "INSERT INTO outbox_event (ordering_key, body, stored_ms) VALUES ('r1', X'7B7D', 0)"
        )
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    assert destination.bodies == [b"{}"]


def test_status_can_be_read_while_it_runs(box: Outbox, tmp_path: Path) -> None:
    destination = MemoryDestination()
    drainer = Drainer(box, [destination])
    drainer.start()
    reader = OutboxReader(box.path)
    seen: set[int] = set()
    for number in range(40):
        store(box, ("r1", str(number)))
        seen.add(reader.status()[0].delivered)
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    assert reader.status()[0].delivered == 40
    assert seen <= set(range(41))


def test_a_thread_survives_a_journal_that_cannot_be_written_for_a_while(box: Outbox) -> None:
    destination = MemoryDestination()
    drainer = Drainer(box, [destination])
    drainer.start()
    with box.transaction() as connection:
        connection.execute(
            "CREATE TRIGGER broken BEFORE UPDATE OF delivered ON outbox_destination"
            " BEGIN SELECT RAISE(ABORT, 'broken for the test'); END"
        )
    store(box, ("r1", "a"))
    while not destination.taken:
        threading.Event().wait(0.01)
    with box.transaction() as connection:
        connection.execute("DROP TRIGGER broken")
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    assert texts(destination.taken) == ["a"]
