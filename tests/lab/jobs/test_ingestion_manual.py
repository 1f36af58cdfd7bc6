"""The job that tells its lineage by hand hears every signal that should end it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest

from mainstem.lab.jobs.ingestion_manual import Interrupts


@pytest.fixture
def interrupts() -> Iterator[Interrupts]:
    before = signal.getsignal(signal.SIGTERM)
    heard = Interrupts()
    heard.hear(signal.SIGTERM)
    yield heard
    signal.signal(signal.SIGTERM, before)


class SignalledWhileFreed:
    """What is raised in here is only written to stderr; Python's hooks at a fork are alike."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def test_a_signal_interrupts_at_once(interrupts: Interrupts) -> None:
    interrupts.raise_lost()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


def test_an_interrupt_that_python_loses_is_raised_at_the_next_look(
    interrupts: Interrupts, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[type[BaseException] | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda of: lost.append(of.exc_type))
    freed = SignalledWhileFreed()
    del freed
    assert lost == [KeyboardInterrupt]
    with pytest.raises(KeyboardInterrupt):
        interrupts.raise_lost()
