"""How long is waited, and by whom."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mainstem.outbox.patience import Patience, Schedule

KEYS = ("a", "b", "c")
HAPPENINGS = ("failed", "whole", "locked", "delivered")


@given(failures=st.integers(1, 10_000), chance=st.floats(0, 1, exclude_max=True))
def test_waits_are_jittered_within_the_cap(failures: int, chance: float) -> None:
    schedule = Schedule(first=0.5, cap=60.0, jitter=lambda: chance)
    full = Schedule(first=0.5, cap=60.0, jitter=lambda: 0.0).wait(failures)
    assert full == min(60.0, 0.5 * 2.0 ** min(failures - 1, 100))
    assert full / 2 <= schedule.wait(failures) <= full


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["failed", "whole", "locked", "delivered"]), st.sampled_from(KEYS)
        ),
        max_size=60,
    )
)
def test_whatever_happened_everything_is_tried_again_within_the_cap(
    history: list[tuple[str, str]],
) -> None:
    patience, now = Patience(Schedule(first=1.0, cap=60.0, jitter=lambda: 0.0)), 0.0
    for what, key in history:
        now += patience.whole_wait(now)
        match what:
            case "failed":
                patience.failed(key, now)
            case "whole":
                patience.failed_whole(now)
            case "locked":
                patience.locked(now)
            case _:
                patience.delivered(key, now)
    assert patience.whole_wait(now) <= 60.0
    later = now + 60.0
    assert patience.whole_wait(later) == 0.0
    suspect = patience.suspect_to_retry(later)
    assert patience.blocked(later) == frozenset() or suspect in patience.blocked(later)


def test_a_wish_for_an_eternity_is_cut() -> None:
    patience = Patience(Schedule(longest_wish=3600.0))
    patience.failed_whole(0.0, wish=1e9)
    assert patience.whole_wait(0.0) == 3600.0
