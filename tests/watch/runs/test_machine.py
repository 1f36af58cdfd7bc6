"""The lifecycle table, line by line, and then as a machine that is driven at random."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import hypothesis.strategies as st
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mainstem.names.run_id import run_id
from mainstem.watch.journal.remembering import from_bytes, to_bytes
from mainstem.watch.runs import Policy, RunMemory, Sighting, Telling, Transition, advance, forget
from mainstem.watch.runs.model import TERMINAL, Health

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
POLICY = Policy()


def make_run_id(time: datetime) -> str:
    return str(run_id(time, "kafka-connect://c", "orders"))


def seen(health: Health, fingerprint: str = "f", reason: str | None = None) -> Sighting:
    working = health in {Health.WORKING, Health.DEGRADED}
    why = reason or (None if health is Health.WORKING else str(health))
    return Sighting(health, fingerprint, any_task_running=working, reason=why)


class Story:
    """Shows the machine one look after another and keeps what it says."""

    def __init__(self, policy: Policy = POLICY) -> None:
        self.policy = policy
        self.memory: RunMemory | None = None
        self.now = NOON
        self.said: list[Transition] = []

    def look(self, sighting: Sighting, after: timedelta = timedelta(seconds=10)) -> list[Telling]:
        self.now += after
        self.memory, transitions = advance(
            self.memory, sighting, self.now, self.policy, make_run_id
        )
        self.said.extend(transitions)
        return [transition.telling for transition in transitions]

    def deleted(self, after: timedelta = timedelta(seconds=10)) -> list[Telling]:
        self.now += after
        transitions = forget(self.memory, self.now, self.policy) if self.memory else ()
        self.memory = None
        self.said.extend(transitions)
        return [transition.telling for transition in transitions]


def test_a_life_from_start_to_deletion() -> None:
    story = Story()
    assert story.look(seen(Health.WORKING)) == [Telling.START]
    assert story.look(seen(Health.WORKING)) == []
    assert story.look(seen(Health.WORKING), timedelta(minutes=5)) == [Telling.RUNNING]
    assert story.look(seen(Health.WORKING, "new lineage")) == [Telling.RUNNING]
    assert story.look(seen(Health.RESTING, "new lineage")) == [Telling.COMPLETE]
    assert story.look(seen(Health.RESTING, "new lineage")) == []
    assert story.look(seen(Health.WORKING, "new lineage")) == [Telling.START]
    assert story.deleted() == [Telling.COMPLETE]
    assert len({each.run_id for each in story.said}) == 2


@given(
    start=st.datetimes(timezones=st.just(UTC), min_value=datetime(2020, 1, 1)),  # noqa: DTZ001
    interval=st.integers(1, 60),
    heartbeat=st.integers(60, 600),
)
def test_a_run_speaks_once_in_every_heartbeat(
    start: datetime, interval: int, heartbeat: int
) -> None:
    story = Story(Policy(heartbeat=timedelta(seconds=heartbeat)))
    story.now = start
    for _ in range(5 * heartbeat // interval):
        story.look(seen(Health.WORKING), timedelta(seconds=interval))
    times = [each.time for each in story.said]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    assert all(gap < heartbeat + interval for gap in gaps)
    # from the first beat on, one in each; before it the run merely finds its own
    assert all(gap > heartbeat - interval for gap in gaps[1:])


def test_runs_that_start_together_do_not_beat_together() -> None:
    heartbeats = [0] * 30
    for number in range(3_000):
        started = RunMemory(f"run {number}", NOON, "f")
        due = [
            look
            for look in range(30)
            if advance(started, seen(Health.WORKING), _at(look), POLICY, make_run_id)[1]
        ]
        heartbeats[due[0]] += 1
    assert sum(heartbeats) == 3_000
    assert max(heartbeats) < 150


def _at(look: int) -> datetime:
    """Thirty looks make one heartbeat."""
    return NOON + timedelta(seconds=10 * (look + 1))


def test_first_seen_at_rest_is_a_job_without_a_run() -> None:
    story = Story()
    assert story.look(seen(Health.RESTING)) == [Telling.JOB]
    assert story.look(seen(Health.RESTING)) == []
    assert story.look(seen(Health.RESTING, "other config")) == [Telling.JOB]
    assert story.deleted() == []


def test_an_initial_failure_is_a_run_too() -> None:
    story = Story()
    assert story.look(seen(Health.FAILED)) == [Telling.START, Telling.FAIL]
    assert story.look(seen(Health.FAILED)) == []
    assert story.deleted() == []


def test_failed_restarted_failed_again_says_nothing_new() -> None:
    story = Story()
    story.look(seen(Health.WORKING))
    assert story.look(seen(Health.FAILED)) == [Telling.FAIL]
    assert story.look(seen(Health.UNSETTLED)) == []
    assert story.look(Sighting(Health.WORKING, "f", any_task_running=False)) == []
    assert story.look(seen(Health.FAILED)) == []
    assert story.look(seen(Health.RESTING)) == []
    assert story.look(seen(Health.FAILED)) == []
    assert story.look(seen(Health.WORKING)) == [Telling.START]
    assert story.look(seen(Health.FAILED)) == [Telling.FAIL]


def test_some_tasks_failed_is_running_degraded_and_told_when_healed() -> None:
    story = Story()
    story.look(seen(Health.WORKING))
    assert story.look(seen(Health.DEGRADED, reason="1 of 2 tasks failed")) == [Telling.RUNNING]
    assert story.said[-1].degraded == "1 of 2 tasks failed"
    assert story.look(seen(Health.DEGRADED, reason="1 of 2 tasks failed")) == []
    assert story.look(seen(Health.WORKING)) == [Telling.RUNNING]
    assert story.said[-1].degraded is None


def test_a_rebalance_is_silence_and_past_grace_it_is_degraded_never_ended() -> None:
    story = Story()
    story.look(seen(Health.WORKING))
    for _ in range(35):
        assert story.look(seen(Health.UNSETTLED)) == []
    assert story.look(seen(Health.UNSETTLED), timedelta(seconds=20)) == [Telling.RUNNING]
    assert story.said[-1].degraded == "unsettled"
    assert story.look(seen(Health.UNSETTLED)) == []
    assert story.look(seen(Health.UNSETTLED), timedelta(minutes=5)) == [Telling.RUNNING]
    assert story.look(seen(Health.WORKING)) == [Telling.RUNNING]
    assert story.said[-1].degraded is None


def test_a_short_rebalance_leaves_no_trace() -> None:
    story = Story(Policy(heartbeat=timedelta(hours=1)))  # whose beat is another matter
    story.look(seen(Health.WORKING))
    story.look(seen(Health.UNSETTLED), timedelta(minutes=4))
    assert story.look(seen(Health.WORKING)) == []
    assert story.look(seen(Health.UNSETTLED), timedelta(minutes=4)) == []


def test_a_clock_stepped_back_never_turns_time_in_a_run() -> None:
    story = Story()
    story.look(seen(Health.WORKING))
    story.look(seen(Health.FAILED), timedelta(hours=-3))
    assert story.said[1].time == story.said[0].time + timedelta(milliseconds=1)


def test_on_delete_abort() -> None:
    memory, _ = advance(None, seen(Health.WORKING), NOON, POLICY, make_run_id)
    (transition,) = forget(memory, NOON, Policy(on_delete=Telling.ABORT))
    assert transition.telling is Telling.ABORT


HEALTHS = st.sampled_from(list(Health))


class RunLife(RuleBasedStateMachine):
    """Any order of sights, silences, clock steps, restarts and deletions keeps every promise."""

    def __init__(self) -> None:
        super().__init__()
        self.story = Story()
        self.seen_working_since_failure = True

    @rule(
        health=HEALTHS,
        fingerprint=st.sampled_from("abc"),
        tasks_run=st.booleans(),
        seconds=st.integers(-4000, 4000),
    )
    def look(self, health: Health, fingerprint: str, *, tasks_run: bool, seconds: int) -> None:
        running = health in {Health.WORKING, Health.DEGRADED} and tasks_run
        sighting = Sighting(health, fingerprint, running, reason=str(health))
        before = self.story.memory
        after = abs(seconds) + 1 if before is None else seconds
        told = self.story.look(sighting, timedelta(seconds=after))
        if running:
            self.seen_working_since_failure = True
        if health is Health.UNSETTLED:
            assert not set(told) & TERMINAL
        if health is Health.FAILED and before is not None and before.run_id is not None:
            assert told == [Telling.FAIL]
        if health is Health.RESTING and before is not None and before.run_id is not None:
            assert told == [Telling.COMPLETE]
        if Telling.FAIL in told:
            assert self.seen_working_since_failure or before is None or before.run_id is not None
            self.seen_working_since_failure = False
        if running:
            assert self.story.memory is not None
            assert self.story.memory.run_id is not None

    @rule()
    def the_watcher_restarts(self) -> None:
        if self.story.memory is not None:
            self.story.memory = from_bytes(to_bytes(self.story.memory))

    @precondition(lambda self: self.story.memory is not None)
    @rule()
    def the_connector_is_deleted(self) -> None:
        memory = self.story.memory
        was_open = memory is not None and memory.run_id is not None
        assert self.story.deleted() == ([Telling.COMPLETE] if was_open else [])
        # a clock stepped back to the very instant of a forgotten START would repeat its run id
        self.story.now = max([self.story.now, *(each.time for each in self.story.said)])
        self.seen_working_since_failure = True

    @invariant()
    def every_run_starts_once_ends_at_most_once_and_time_goes_forward(self) -> None:
        runs: dict[str, list[Transition]] = {}
        for transition in self.story.said:
            if transition.run_id is not None:
                runs.setdefault(transition.run_id, []).append(transition)
        for said in runs.values():
            tellings = [transition.telling for transition in said]
            assert tellings[0] is Telling.START
            assert Telling.START not in tellings[1:]
            assert not set(tellings[:-1]) & TERMINAL
            times = [transition.time for transition in said]
            assert times == sorted(set(times))

    @invariant()
    def the_memory_knows_the_open_run(self) -> None:
        memory = self.story.memory
        open_run = memory.run_id if memory else None
        runs = [transition for transition in self.story.said if transition.run_id is not None]
        last = runs[-1] if runs else None
        expected = last.run_id if last and last.telling not in TERMINAL else None
        assert open_run == expected


RunLife.TestCase.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
TestRunLife = RunLife.TestCase
