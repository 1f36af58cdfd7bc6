"""The guard: a mistake in tracking is said once, without secrets, and never reaches the job."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from mainstem.clock import now
from mainstem.spark.guard import kept_from_the_job, reason_of
from mainstem.spark.inbox import Inbox, StreamProgressed
from mainstem.spark.listening import ActionListener, Ear


def test_a_mistake_is_kept_and_each_kind_of_it_is_said_once() -> None:
    with capture_logs() as logs:
        for error in (ValueError("password=hunter2"), ValueError("again"), KeyError("another")):
            with kept_from_the_job("the test of the guard"):
                raise error
    said = [entry["error"] for entry in logs]
    assert len(said) == 2
    assert said[0].startswith("ValueError")
    assert said[1].startswith("KeyError")
    assert "hunter2" not in str(logs)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_job_goes_through(error: type[BaseException]) -> None:
    with pytest.raises(error), kept_from_the_job("the end of the job"):
        raise error


def test_a_callback_that_fails_is_silent_and_the_next_one_is_heard() -> None:
    inbox = Inbox()

    def broken() -> StreamProgressed:
        raise RuntimeError("the query is gone")

    ear = Ear(inbox, now)
    ear.hear("a query that is gone", broken)
    ear.hear("a query", lambda: StreamProgressed("{}"))
    assert [inbox.take(0.0), inbox.take(0.0)] == [StreamProgressed("{}"), None]


def test_a_listener_without_a_clock_does_not_raise_into_spark() -> None:
    def stopped() -> None:
        raise OSError("no time")

    inbox = Inbox()
    listener = ActionListener(Ear(inbox, stopped))  # pyright: ignore[reportArgumentType]
    listener.onSuccess("save", object(), 1)
    listener.onFailure("save", object(), object())
    assert inbox.take(0.0) is None


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError(), "ValueError"),
        (ValueError("\n"), "ValueError"),
        (ValueError("first\nsecond"), "ValueError: first"),
        (ValueError("x" * 1000), f"ValueError: {'x' * 488}"),
    ],
)
def test_a_reason_is_one_short_line(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason
