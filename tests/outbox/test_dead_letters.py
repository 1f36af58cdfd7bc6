"""Replaying and dropping what was refused."""

from __future__ import annotations

import pytest

from mainstem.errors import DestinationRefused
from mainstem.outbox import Outbox, StoredEvent
from mainstem.outbox.dead_letters import Choice, drop, drop_waiting, replay
from mainstem.outbox.lane import Lane
from outbox.doubles import MemoryDestination, SteppedClock, open_lane, run_lane, store, texts


class Picky:
    """Refuses bodies with the word poison until it is cured."""

    def __init__(self) -> None:
        self.cured = False

    def __call__(self, event: StoredEvent) -> None:
        if b"poison" in event.body and not self.cured:
            raise DestinationRefused("memory", "answers 422")


@pytest.fixture
def refused(box: Outbox) -> tuple[MemoryDestination, Picky, Lane, SteppedClock]:
    picky, clock = Picky(), SteppedClock()
    destination = MemoryDestination(fault=picky)
    lane = open_lane(box, destination, clock)
    store(box, ("r1", "poison 1"), ("r1", "a"), ("r2", "poison 2"), ("r2", "b"))
    run_lane(lane, clock, 0)
    assert [letter.event_id for letter in box.dead_letters()] == [1, 3]
    return destination, picky, lane, clock


Refused = tuple[MemoryDestination, Picky, Lane, SteppedClock]


def test_a_replayed_event_is_sent_again_and_gone_once_taken(box: Outbox, refused: Refused) -> None:
    destination, picky, lane, clock = refused
    picky.cured = True
    assert replay(box.path, Choice([3])) == 1
    run_lane(lane, clock, 0)
    assert texts(destination.taken) == ["a", "b", "poison 2"]
    assert [letter.event_id for letter in box.dead_letters()] == [1]
    assert box.event(3) is None


def test_a_replayed_event_that_is_refused_again_is_a_dead_letter_again(
    box: Outbox, refused: Refused
) -> None:
    _, _, lane, clock = refused
    assert replay(box.path, Choice()) == 2
    assert box.dead_letters() == ()
    run_lane(lane, clock, 0)
    assert [letter.event_id for letter in box.dead_letters()] == [1, 3]


def test_what_is_dropped_is_gone(box: Outbox, refused: Refused) -> None:
    assert drop(box.path, Choice([1, 77])) == 1
    assert box.event(1) is None
    assert [letter.event_id for letter in box.dead_letters()] == [3]
    assert drop(box.path, Choice()) == 1
    assert box.size().events == 0


def test_a_choice_by_destination(box: Outbox, refused: Refused) -> None:
    assert replay(box.path, Choice(destination="other")) == 0
    assert drop(box.path, Choice(destination="other")) == 0
    assert len(box.dead_letters("memory")) == 2


def test_a_dead_letter_of_a_destination_that_left_stays_and_can_be_dropped(
    box: Outbox, refused: Refused
) -> None:
    box.configure({"other": "memory"})
    assert replay(box.path, Choice()) == 0
    assert len(box.dead_letters()) == 2
    assert drop(box.path, Choice()) == 2


def test_a_waiting_event_can_be_given_up_and_is_counted(box: Outbox, refused: Refused) -> None:
    destination, _, lane, clock = refused
    store(box, ("r3", "unwanted"), ("r3", "wanted"))
    unwanted = box.waiting(10)[0]
    assert (unwanted.ordering_key, unwanted.destinations) == ("r3", ("memory",))
    assert drop_waiting(box.path, [unwanted.event_id]) == 1
    run_lane(lane, clock, 0)
    assert texts(destination.taken)[-1] == "wanted"
    assert box.status()[0].dropped == 1
