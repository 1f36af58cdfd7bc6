from __future__ import annotations

import threading
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from mainstem.spark.inbox import ActionEnded, Declared, Inbox, StreamProgressed
from mainstem.spark.lineage import QueryLineage

NOTHING = QueryLineage((), ())


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 5))
def test_order_is_kept_and_only_the_oldest_progress_is_dropped(
    progress: list[bool], most: int
) -> None:
    inbox = Inbox(most)
    put = [
        StreamProgressed(str(number)) if is_progress else Declared(str(number), NOTHING)
        for number, is_progress in enumerate(progress)
    ]
    for item in put:
        inbox.put(item)
    taken = []
    while (item := inbox.take(0.0)) is not None:
        taken.append(item)
    told = [item for item in put if isinstance(item, StreamProgressed)]
    dropped = told[: max(0, len(told) - most)]
    assert taken == [item for item in put if item not in dropped]
    assert inbox.dropped == len(dropped)


def _action(number: int) -> ActionEnded:
    return ActionEnded(number, datetime(2026, 1, 1, tzinfo=UTC))


def test_an_action_too_many_is_held_until_one_is_taken() -> None:
    inbox = Inbox(most_actions=2, hold_seconds=60.0)
    inbox.put(_action(1))
    inbox.put(_action(2))
    third = threading.Thread(target=inbox.put, args=(_action(3),), daemon=True)
    third.start()
    third.join(0.1)
    assert third.is_alive()
    inbox.put(Declared("said meanwhile", NOTHING))
    assert inbox.take(0.0) == _action(1)
    third.join(10.0)
    rest = [inbox.take(0.0) for _ in range(3)]
    assert rest == [_action(2), Declared("said meanwhile", NOTHING), _action(3)]


def test_an_action_is_never_dropped() -> None:
    inbox = Inbox(most_actions=1, hold_seconds=0.0)
    for number in range(5):
        inbox.put(_action(number))
    assert [inbox.take(0.0) for _ in range(6)] == [*map(_action, range(5)), None]
