"""One look at one cluster and all that follows from it, as a tuple of named steps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import MainstemError
from mainstem.outbox import OutboxItem
from mainstem.watch.connect.snapshot import State, WorkerInfo
from mainstem.watch.events import build, end_from_memory
from mainstem.watch.journal import Change, LookOutcome
from mainstem.watch.loop.basis import Basis
from mainstem.watch.loop.cluster import Tick, WatchedCluster
from mainstem.watch.loop.plan import Step, plan_gone, plan_seen, summary_of_left_out
from mainstem.watch.runs.movement import counted, observe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from mainstem.watch.connect.snapshot import ObservedConnector

PATIENCE = timedelta(seconds=2)
"""How long a look waits for an answer beside it; what comes later counts in the next look."""

SAVED_AT_ONCE = 500

UNKNOWN_WORKER = WorkerInfo("unknown", None)


def look(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask once for every connector."""
    tick.snapshot = cluster.client.look()
    tick.now = cluster.clock()


def ask_guards(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask classes seen for the first time which of their keys are passwords."""
    classes = {each.connector_class for each in tick.snapshot.connectors.values()}
    if cluster.guards.learn(classes, tick.now, PATIENCE):
        tick.snapshot = cluster.client.look_again()


def choose(cluster: WatchedCluster, tick: Tick) -> None:
    """Keep the connectors that the recipe lets through."""
    connectors = tick.snapshot.connectors.values()
    tick.watched = tuple(each for each in connectors if cluster.watches(each.name))
    if len(tick.watched) < len(connectors):
        tick.left_out = tuple(
            each
            for each in connectors
            if each.name in cluster.memories and not cluster.watches(each.name)
        )


def ask_worker(cluster: WatchedCluster, tick: Tick) -> None:
    """Learn version and Kafka cluster id once; a worker that does not tell is asked again."""
    if cluster.worker is None:
        try:
            cluster.worker = cluster.client.worker()
        except MainstemError:
            cluster.worker = None
    worker = cluster.worker or UNKNOWN_WORKER
    tick.kafka = cluster.settings.kafka_name(worker.kafka_cluster_id)


def ask_topics(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask for the topics of the connectors that are due."""
    cluster.topics.ask(tick.watched, tick.now, PATIENCE)


def note_movement(cluster: WatchedCluster, tick: Tick) -> None:
    """Take what was read of offsets since the last look; asking is not the look's business."""
    running = {each.name for each in tick.watched if each.state is State.RUNNING}
    cluster.offsets.want(running)
    for name, offsets, read_at in cluster.offsets.take():
        if name in running:
            cluster.movements[name] = observe(cluster.movements.get(name), offsets, read_at)


def ask_schemas(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask the schema registries for the topics of connectors that use one."""
    for observed in tick.watched:
        converters = tick.snapshot.converters[observed.name]
        if not cluster.questions.asks(converters):
            continue
        basis = _basis(cluster, tick, observed)
        tick.questions[observed.name] = cluster.questions.questions(
            observed,
            converters,
            (basis.topics, basis.kafka, basis.provided),
            partial(cluster.subjects.topics, observed, basis),
        )
    cluster.questions.keep_only(tick.questions)
    asked = [each for topics in tick.questions.values() for each in topics.values()]
    cluster.schemas.ask(asked, tick.now, PATIENCE)


def resolve_connectors(cluster: WatchedCluster, tick: Tick) -> None:
    """Say what each connector reads and writes, and how it is."""
    tick.known = {
        observed.name: cluster.subjects.known(observed, _basis(cluster, tick, observed))
        for observed in tick.watched
    }
    cluster.subjects.keep_only(tick.known)


def plan_steps(cluster: WatchedCluster, tick: Tick) -> None:
    """Decide what is to be said of each run, and what is to be remembered."""
    # what could not be read, or is no longer watched, is there all the same
    there = tick.snapshot.connectors.keys() | tick.snapshot.unreadable.keys()
    tick.steps = (
        *_steps_of_seen(cluster, tick),
        *_steps_of_left_out(cluster, tick),
        *plan_gone(cluster.memories, there, tick.now, cluster.settings.policy),
    )


def tell(cluster: WatchedCluster, tick: Tick) -> None:
    """Tell and remember each step, its events and its memory in one transaction.

    Only then does it count as seen. Thousands of steps are saved in parts, since a part that is
    saved does not need the others.
    """
    outcome = LookOutcome(tick.now, connectors=len(tick.watched))
    for begin in range(0, max(1, len(tick.steps)), SAVED_AT_ONCE):
        steps = tick.steps[begin : begin + SAVED_AT_ONCE]
        changes = [_change(cluster, step, tick.now) for step in steps]
        cluster.journal.save(cluster.name, changes, outcome)
        for change in changes:
            _remember(cluster, change)
    running = {each.name for each in tick.watched if each.state is State.RUNNING}
    for name in cluster.movements.keys() - running:
        del cluster.movements[name]


STEPS: tuple[Callable[[WatchedCluster, Tick], None], ...] = (
    look,
    ask_guards,
    choose,
    ask_worker,
    ask_topics,
    note_movement,
    ask_schemas,
    resolve_connectors,
    plan_steps,
    tell,
)


def run_tick(cluster: WatchedCluster) -> Tick:
    """One whole look; raises what a step raised, and then nothing was remembered."""
    tick = Tick(cluster.clock())
    for step in STEPS:
        step(cluster, tick)
    return tick


def _basis(cluster: WatchedCluster, tick: Tick, observed: ObservedConnector) -> Basis:
    flow = cluster.flow(observed.name, tick.now)
    questions = tick.questions.get(observed.name, {})
    return Basis(
        topics=cluster.topics.topics(observed.name),
        kafka=tick.kafka,
        worker_version=(cluster.worker or UNKNOWN_WORKER).version,
        provided=cluster.settings.providers.values(observed.config),
        quiet_since=flow.quiet_since if flow else None,
        fields=cluster.schemas.fields(questions),
        missing_schemas=cluster.schemas.reasons(questions),
    )


def _remember(cluster: WatchedCluster, change: Change) -> None:
    """What was saved is known; rows that an event told are counted from here on."""
    name = change.connector
    if change.memory is None:
        cluster.memories.pop(name, None)
        cluster.summaries.pop(name, None)
        return
    cluster.memories[name] = change.memory
    cluster.summaries[name] = change.summary
    if change.last_event is not None and name in cluster.movements:
        cluster.movements[name] = counted(cluster.movements[name])


def _steps_of_seen(cluster: WatchedCluster, tick: Tick) -> Iterator[Step]:
    policy = cluster.settings.policy
    for name, known in tick.known.items():
        previous = cluster.memories.get(name)
        memory, transitions = plan_seen(
            name,
            known.sighting,
            previous,
            now=tick.now,
            policy=policy,
            make_run_id=cluster.make_run_id,
        )
        unchanged = (memory is previous or memory == previous) and cluster.summaries.get(
            name
        ) == known.summary
        if transitions or not unchanged:
            yield Step(name, memory, transitions, known.subject, known.summary)


def _steps_of_left_out(cluster: WatchedCluster, tick: Tick) -> Iterator[Step]:
    """Nothing is said of them: their runs stay as they are until they are deleted or let in."""
    for observed in tick.left_out:
        summary = summary_of_left_out(observed)
        if cluster.summaries.get(observed.name) != summary:
            yield Step(observed.name, cluster.memories[observed.name], (), None, summary)


def _change(cluster: WatchedCluster, step: Step, now: datetime) -> Change:
    if step.subject is not None:
        subject = replace(step.subject, flow=cluster.flow(step.connector, now))
        bodies = [build(subject, transition) for transition in step.transitions]
    else:
        bodies = [
            end_from_memory(cluster.journal.last_event(cluster.name, step.connector), transition)
            for transition in step.transitions
        ]
    prepared = (
        (each, cluster.prepare(body)) for each, body in zip(step.transitions, bodies, strict=True)
    )
    items = tuple(
        OutboxItem(transition.run_id or step.connector, body)
        for transition, body in prepared
        if body is not None
    )
    return Change(step.connector, step.memory, items, step.summary, bodies[-1] if bodies else None)
