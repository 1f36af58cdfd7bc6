from __future__ import annotations

from structlog.testing import capture_logs

from mainstem.watch.loop.silences import REMINDER_SECONDS, Silences


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_silence_is_told_once_then_with_its_count_then_its_end() -> None:
    clock = Clock()
    silences = Silences(clock)
    with capture_logs() as logs:
        for _ in range(5):
            silences.not_seen("prod", "HTTP 500")
        clock.now = REMINDER_SECONDS
        silences.not_seen("prod", "HTTP 500")
        silences.not_seen("prod", "HTTP 500")
        silences.not_seen("prod", "ConnectError")
        silences.seen("prod")
        silences.seen("prod")
    assert [(each["event"], each.get("looks"), each.get("missed_looks")) for each in logs] == [
        ("cluster not seen", None, None),
        ("cluster still not seen", 6, None),
        ("cluster not seen", None, None),
        ("cluster seen again", None, 8),
    ]


def test_each_cluster_has_its_own() -> None:
    silences = Silences(Clock())
    with capture_logs() as logs:
        silences.not_seen("a", "HTTP 500")
        silences.not_seen("b", "HTTP 500")
        silences.seen("a")
    assert [(each["event"], each["cluster"]) for each in logs] == [
        ("cluster not seen", "a"), ("cluster not seen", "b"), ("cluster seen again", "a")
    ]  # fmt: skip
