"""Composites whose transports depend on each other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mainstem.errors import DestinationBusy, DestinationLocked, DestinationRefused
from mainstem.outbox import Configuration, StoredEvent, destinations_from_configuration
from mainstem.outbox.destinations.group import FirstOf, InSequence
from outbox.doubles import MemoryDestination

EVENT = StoredEvent(1, "r1", b"{}", datetime(2026, 1, 2, tzinfo=UTC))
NEXT = StoredEvent(2, "r1", b"{}", datetime(2026, 1, 2, tzinfo=UTC))


class Switch:
    """A fault that can be turned off."""

    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = error

    def __call__(self, event: StoredEvent) -> None:
        if self.error is not None:
            raise self.error


def test_the_first_that_takes_it_is_enough() -> None:
    down, spare = MemoryDestination("down"), MemoryDestination("spare")
    group = FirstOf("either", (down, spare))
    switch = Switch(DestinationBusy("down", "refused", whole=True))
    down.fault = switch
    group.deliver(EVENT)
    switch.error = None
    group.deliver(NEXT)
    assert (down.taken, spare.taken) == ([NEXT], [EVENT])


def test_a_member_that_fails_in_an_unknown_way_does_not_hide_the_spare() -> None:
    odd, spare = MemoryDestination("odd", fault=Switch(RuntimeError())), MemoryDestination("spare")
    FirstOf("either", (odd, spare)).deliver(EVENT)
    assert spare.taken == [EVENT]


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ((DestinationRefused("a", "422"), DestinationRefused("b", "400")), DestinationRefused),
        ((DestinationRefused("a", "422"), DestinationLocked("b", "401")), DestinationLocked),
        ((DestinationBusy("a", "500"), DestinationLocked("b", "401")), DestinationBusy),
    ],
)
def test_when_none_takes_it_the_hope_that_is_left_counts(
    errors: tuple[Exception, Exception], expected: type[Exception]
) -> None:
    first, second = errors
    members = (
        MemoryDestination("a", fault=Switch(first)),
        MemoryDestination("b", fault=Switch(second)),
    )
    with pytest.raises(expected) as failure:
        FirstOf("either", members).deliver(EVENT)
    assert "a: " in str(failure.value)
    assert "b: " in str(failure.value)


def test_in_sequence_none_gets_what_the_one_before_did_not_take_and_none_twice() -> None:
    one, two, three = (MemoryDestination(name) for name in ("one", "two", "three"))
    switch = Switch(DestinationBusy("two", "answers 500"))
    two.fault = switch
    group = InSequence("all", (one, two, three))
    with pytest.raises(DestinationBusy):
        group.deliver(EVENT)
    assert (one.taken, three.taken) == ([EVENT], [])
    switch.error = None
    group.deliver(EVENT)
    assert (one.taken, two.taken, three.taken) == ([EVENT], [EVENT], [EVENT])


def composite(**settings: object) -> dict[str, object]:
    transports = [
        {"type": "console", "name": "low", "priority": 1},
        {"type": "console", "name": "high", "priority": 2},
    ]
    return {"type": "composite", "transports": transports, **settings}


def test_the_clients_words_for_it() -> None:
    [first] = destinations_from_configuration(
        Configuration("environment", composite(continue_on_success=False, sort_transports=True))
    )
    assert isinstance(first, FirstOf)
    assert [member.name for member in first.members] == ["high", "low"]
    [sequence] = destinations_from_configuration(
        Configuration("environment", composite(continue_on_failure=False, name="both"))
    )
    assert isinstance(sequence, InSequence)
    assert (sequence.name, [member.name for member in sequence.members]) == (
        "both",
        ["low", "high"],
    )
