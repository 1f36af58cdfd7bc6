"""Delivering: order, failures, dead letters, several destinations."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from mainstem.errors import (
    DestinationBusy,
    DestinationLocked,
    DestinationRefused,
    JournalUnwritable,
)
from mainstem.outbox import Outbox, StoredEvent
from outbox.doubles import MemoryDestination, SteppedClock, depth, open_lane, run_lane, store, texts


def fail_for(key: str, error: Exception) -> Fault:
    return Fault({key}, error)


class Fault:
    def __init__(self, keys: set[str], error: Exception) -> None:
        self.keys = keys
        self.error = error

    def __call__(self, event: StoredEvent) -> None:
        if event.ordering_key in self.keys or "*" in self.keys:
            raise self.error


def test_what_is_delivered_is_gone_and_counted(box: Outbox) -> None:
    store(box, ("r1", "a"), ("r2", "b"), ("r1", "c"))
    destination, clock = MemoryDestination(), SteppedClock()
    run_lane(open_lane(box, destination, clock), clock, 0)
    assert texts(destination.taken) == ["a", "b", "c"]
    [status] = box.status()
    assert (status.depth, status.delivered, status.oldest_age_seconds) == (0, 3, None)
    assert box.event(destination.taken[0].id) is None


def test_a_failing_key_holds_back_its_own_events_alone(box: Outbox) -> None:
    store(box, ("bad", "1"), ("good", "2"), ("bad", "3"), ("good", "4"))
    destination, clock = MemoryDestination(), SteppedClock()
    fault = fail_for("bad", DestinationBusy("memory", "answers 500"))
    destination.fault = fault
    lane = open_lane(box, destination, clock)
    run_lane(lane, clock, 300)
    assert texts(destination.taken) == ["2", "4"]
    store(box, ("good", "5"))
    run_lane(lane, clock, 0)
    assert texts(destination.taken) == ["2", "4", "5"]
    store(box, ("bad", "6"))
    fault.keys.clear()
    clock.seconds += 300
    run_lane(lane, clock, 300)
    assert texts(destination.taken) == ["2", "4", "5", "1", "3", "6"]


def test_many_failing_keys_do_not_stop_a_good_one(box: Outbox) -> None:
    bad = [(f"bad{number}", "x") for number in range(5)]
    good = [("good", str(number)) for number in range(20)]
    store(box, *bad, *good)
    destination, clock = MemoryDestination(), SteppedClock()
    destination.fault = Fault({key for key, _ in bad}, DestinationBusy("memory", "answers 500"))
    run_lane(open_lane(box, destination, clock), clock, 600)
    assert texts(destination.taken) == [text for _, text in good]


def test_a_destination_that_is_down_is_asked_less_and_less(box: Outbox) -> None:
    store(box, *[(f"r{number}", str(number)) for number in range(50)])
    destination, clock = MemoryDestination(), SteppedClock()
    fault = Fault({"*"}, DestinationBusy("memory", "refused", whole=True))
    destination.fault = fault
    lane = open_lane(box, destination, clock)
    run_lane(lane, clock, 3600)
    assert len(destination.tried) < 70
    assert box.status()[0].trouble == "refused"
    fault.keys.clear()
    run_lane(lane, clock, 61)
    assert texts(destination.taken) == [str(number) for number in range(50)]
    assert box.status()[0].trouble is None


def test_a_hanging_destination_is_asked_less_and_less_too(box: Outbox) -> None:
    store(box, *[(f"r{number}", str(number)) for number in range(50)])
    destination, clock = MemoryDestination(), SteppedClock()
    fault = Fault({"*"}, DestinationBusy("memory", "no answer within 5 s"))
    destination.fault = fault
    lane = open_lane(box, destination, clock)
    run_lane(lane, clock, 3600)
    assert len(destination.tried) < 80
    fault.keys.clear()
    run_lane(lane, clock, 200)
    assert sorted(texts(destination.taken), key=int) == [str(number) for number in range(50)]


def test_retry_after_is_honoured(box: Outbox) -> None:
    store(box, ("r1", "a"))
    destination, clock = MemoryDestination(), SteppedClock()
    fault = Fault({"*"}, DestinationBusy("memory", "answers 429", retry_after=17))
    destination.fault = fault
    lane = open_lane(box, destination, clock)
    lane.step()
    fault.keys.clear()
    assert lane.step() == 17
    clock.seconds += 16.9
    lane.step()
    assert destination.taken == []
    clock.seconds += 0.2
    lane.step()
    assert texts(destination.taken) == ["a"]


def test_a_refused_event_is_a_dead_letter_and_the_run_goes_on(box: Outbox) -> None:
    store(box, ("r1", "a"), ("r1", "poison"), ("r1", "c"))
    destination, clock = MemoryDestination(), SteppedClock()

    def refuse_poison(event: StoredEvent) -> None:
        if b"poison" in event.body:
            raise DestinationRefused("memory", "answers 422: no run id")

    destination.fault = refuse_poison
    run_lane(open_lane(box, destination, clock), clock, 0)
    assert texts(destination.taken) == ["a", "c"]
    [letter] = box.dead_letters()
    assert (letter.ordering_key, letter.reason) == ("r1", "answers 422: no run id")
    kept = box.event(letter.event_id)
    assert kept is not None
    assert texts([kept]) == ["poison"]


def test_a_locked_destination_pauses_keeps_all_and_says_so(box: Outbox) -> None:
    store(box, ("r1", "a"), ("r2", "b"))
    destination, clock = MemoryDestination(), SteppedClock()
    fault = Fault({"*"}, DestinationLocked("memory", "answers 401"))
    destination.fault = fault
    lane = open_lane(box, destination, clock)
    run_lane(lane, clock, 59)
    assert destination.tried == ["r1"]
    assert box.status()[0].paused == "answers 401"
    with capture_logs() as logs:
        run_lane(lane, clock, 600)
    assert len(destination.tried) > 5
    assert logs == []
    fault.keys.clear()
    run_lane(lane, clock, 61)
    assert texts(destination.taken) == ["a", "b"]
    assert box.status()[0].paused is None


def test_an_unforeseen_error_neither_ends_the_lane_nor_shows_its_text(box: Outbox) -> None:
    store(box, ("r1", "a"))
    destination, clock = MemoryDestination(), SteppedClock()
    fault = Fault({"*"}, RuntimeError("token s3cr3t is wrong"))
    destination.fault = fault
    lane = open_lane(box, destination, clock)
    run_lane(lane, clock, 10)
    assert box.status()[0].trouble == "failed with RuntimeError"
    fault.keys.clear()
    run_lane(lane, clock, 61)
    assert texts(destination.taken) == ["a"]


def test_a_delivery_that_cannot_be_written_down_is_not_sent_again(box: Outbox) -> None:
    store(box, ("r1", "a"), ("r1", "b"))
    destination, clock = MemoryDestination(), SteppedClock()
    lane = open_lane(box, destination, clock)
    write = lane.ledger.delivered
    full = [True, True]

    def fail_while_full(event: StoredEvent, at_ms: int) -> None:
        if full:
            full.pop()
            raise JournalUnwritable("journal.db", "disk full")
        write(event, at_ms)

    lane.ledger.delivered = fail_while_full
    for _ in range(2):
        with pytest.raises(JournalUnwritable):
            lane.step()
    run_lane(lane, clock, 0)
    assert texts(destination.taken) == ["a", "b"]
    assert depth(box) == 0


def test_each_destination_has_its_own_record(box: Outbox) -> None:
    up, down, clock = MemoryDestination("up"), MemoryDestination("down"), SteppedClock()
    fault = Fault({"*"}, DestinationBusy("down", "refused", whole=True))
    down.fault = fault
    lanes = [open_lane(box, up, clock), open_lane(box, down, clock)]
    box.configure({"up": "memory", "down": "memory"})
    store(box, ("r1", "a"), ("r1", "b"))
    for lane in lanes:
        run_lane(lane, clock, 5)
    assert texts(up.taken) == ["a", "b"]
    assert {status.name: status.depth for status in box.status()} == {"up": 0, "down": 2}
    assert box.event(up.taken[0].id) is not None
    fault.keys.clear()
    run_lane(lanes[1], clock, 61)
    assert down.bodies == up.bodies
    assert box.event(up.taken[0].id) is None


def test_a_destination_that_left_strands_nothing(box: Outbox) -> None:
    stays, leaves, clock = MemoryDestination("stays"), MemoryDestination("leaves"), SteppedClock()
    lane = open_lane(box, stays, clock)
    box.configure({"stays": "memory", "leaves": "memory"})
    store(box, ("r1", "a"), ("r1", "b"))
    run_lane(lane, clock, 0)
    held = stays.taken[0].id
    assert box.event(held) is not None
    box.configure({"stays": "memory"})
    assert box.event(held) is None
    gone = next(status for status in box.status() if status.name == "leaves")
    assert not gone.configured
    assert leaves.taken == []


def test_nothing_is_deleted_before_a_destination_is_known(box: Outbox) -> None:
    store(box, ("r1", "early"))
    box.configure({})
    destination, clock = MemoryDestination(), SteppedClock()
    run_lane(open_lane(box, destination, clock), clock, 0)
    assert texts(destination.taken) == ["early"]
