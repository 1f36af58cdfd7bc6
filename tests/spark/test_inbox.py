from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mainstem.spark.inbox import Declared, Inbox, StreamProgressed
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
