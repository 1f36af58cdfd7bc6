"""One look at one cluster and all that follows from it, as a tuple of named steps."""

from __future__ import annotations

from concurrent.futures import wait
from datetime import timedelta
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from mainstem.errors import MainstemError
from mainstem.watch.connect.snapshot import State, WorkerInfo
from mainstem.watch.journal import Change, LookOutcome
from mainstem.watch.loop.basis import NO_FIELDS, Basis
from mainstem.watch.loop.cluster import Tick, Turn, WatchedCluster
from mainstem.watch.loop.plan import Step, plan_gone, plan_seen, summary_of_left_out
from mainstem.watch.runs import leave
from mainstem.watch.runs.movement import counted, observe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.schema_registry.subjects import Questions

NO_PATIENCE = timedelta(0)

NEW_AT_ONCE = 100
SAVED_AT_ONCE = 500

UNKNOWN_WORKER = WorkerInfo("unknown", None)


def look(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask once for every connector."""
    tick.snapshot = cluster.client.look()
    tick.now = cluster.clock()


def choose(cluster: WatchedCluster, tick: Tick) -> None:
    """Keep the connectors that the recipe lets through."""
    connectors = tick.snapshot.connectors.values()
    watched = (each for each in connectors if cluster.watches(each.name))
    tick.watched = tuple(islice(watched, cluster.settings.at_most))
    if len(tick.watched) < len(connectors):
        tick.left_out = tuple(
            each
            for each in connectors
            if each.name in cluster.memories and not cluster.watches(each.name)
        )


def doubt(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask whether what is missing is gone; until the worker says so, nothing ends."""
    there = {*tick.snapshot.connectors, *tick.snapshot.unreadable}
    missing = cluster.names_told() - there
    policy = cluster.settings.policy
    deleted = cluster.absences.deleted(missing, tick.now, cluster.confirms_within, policy.grace)
    tick.unsure = frozenset(missing) - deleted


def ask_worker(cluster: WatchedCluster, tick: Tick) -> None:
    """Learn version and Kafka cluster id once; a worker that does not tell is asked again."""
    if cluster.worker is None and cluster.asked_worker is None:
        cluster.asked_worker = cluster.pool.submit(cluster.client.worker)
        # the first look wants to know
        patience = NO_PATIENCE if cluster.summaries else cluster.patience
        wait([cluster.asked_worker], timeout=patience.total_seconds())
    if cluster.asked_worker is not None and cluster.asked_worker.done():
        try:
            cluster.worker = cluster.asked_worker.result()
        except MainstemError:
            cluster.worker = None
        cluster.asked_worker = None
    worker = cluster.worker or UNKNOWN_WORKER
    tick.kafka = cluster.settings.kafka_name(worker.kafka_cluster_id)


def note_movement(cluster: WatchedCluster, tick: Tick) -> None:
    """Take what was read of offsets since the last look; asking is not the look's business."""
    for name, offsets, read_at in cluster.offsets.take():
        observed = tick.snapshot.connectors.get(name)
        if observed is not None and observed.state is State.RUNNING:
            cluster.movements[name] = observe(cluster.movements.get(name), offsets, read_at)


def ask_guards(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:
    """Ask classes seen for the first time which of their keys are passwords.

    Those of the whole look, since a worker that is slow to tell topics would keep later ones back.
    """
    classes = {each.connector_class for each in tick.watched}
    if cluster.guards.learn(classes, tick.now, turn.patience):
        tick.snapshot = cluster.client.look_again()
        seen = tick.snapshot.connectors
        turn.connectors = tuple(seen[each.name] for each in turn.connectors)


def ask_topics(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:
    """Ask for the topics of the connectors that are due."""

    def answered(number: int) -> None:
        cluster.progress(cluster.name, len(tick.known) + number, len(tick.watched))

    if turn.patience:
        cluster.topics.begin((*turn.connectors, *turn.next), tick.now)
        cluster.topics.ask(turn.connectors, tick.now, turn.patience, answered)


def remember_topics(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:  # noqa: ARG001
    """Keep the answers before anything is told by them: the next may be long in coming."""
    if changes := cluster.topics.take_changes():
        cluster.journal.remember_topics(cluster.name, changes)


def ask_schemas(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:
    """Ask the schema registries for the topics of connectors that use one."""
    asked: list[Questions] = []
    for observed in turn.connectors:
        converters = tick.snapshot.converters[observed.name]
        if cluster.questions.asks(converters):
            basis = _basis(cluster, tick, observed)
            topics = partial(cluster.subjects.topics, observed, basis)
            rests_on = (basis.topics, basis.kafka, basis.provided)
            questions = cluster.questions.questions(observed, converters, rests_on, topics)
            asked += questions.values()
    # what moved is told before anybody is waited for
    patience = NO_PATIENCE if turn.is_first else _patience(cluster)
    cluster.schemas.ask(asked, tick.now, patience)


def resolve_connectors(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:
    """Say what each connector reads and writes, and how it is."""
    for observed in turn.connectors:
        basis = _basis(cluster, tick, observed)
        tick.known[observed.name] = cluster.subjects.known(observed, basis)


def plan_steps(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:
    """Decide what is to be said of each run, and what is to be remembered."""
    turn.steps = tuple(_steps_of_seen(cluster, tick, turn))
    if turn.is_first:
        # what could not be read, or is no longer watched, is there all the same
        there = {*tick.snapshot.connectors, *tick.snapshot.unreadable, *tick.unsure}
        gone = plan_gone(cluster.memories, there, tick.now, cluster.settings.policy)
        turn.steps = (*turn.steps, *_steps_of_left_out(cluster, tick), *gone)


def tell(cluster: WatchedCluster, tick: Tick, turn: Turn) -> None:
    """Tell and remember each step, its events and its memory in one transaction.

    Only then does it count as seen. What begins or ends a run is told before what merely goes on;
    thousands of steps are saved in parts, since a part that is saved does not need the others.
    """
    going_on = [step for step in turn.steps if step.merely_goes_on]
    urgent = [step for step in turn.steps if not step.merely_goes_on]
    outcome = LookOutcome(tick.now, connectors=len(tick.watched))
    for steps in (*_parts(urgent, SAVED_AT_ONCE), *_parts(going_on, SAVED_AT_ONCE)):
        changes = [_change(cluster, step, tick.now) for step in steps]
        cluster.journal.save(cluster.name, changes, outcome)
        for change in changes:
            _remember(cluster, change)
    tick.steps += turn.steps


def forget_gone(cluster: WatchedCluster, tick: Tick) -> None:
    """Keep nothing of connectors that are gone but what the journal remembers."""
    there = {each.name for each in tick.watched}
    cluster.topics.keep_only(
        there, {*tick.snapshot.connectors, *tick.snapshot.unreadable, *tick.unsure}
    )
    if changes := cluster.topics.take_changes():
        cluster.journal.remember_topics(cluster.name, changes)
    cluster.subjects.keep_only(there)
    cluster.questions.keep_only(there)
    cluster.schemas.keep_only(cluster.questions.all())


def want_offsets(cluster: WatchedCluster, tick: Tick) -> None:
    """Say whose offsets are to be asked until the next look: of those that run."""
    running = {each.name for each in tick.watched if each.state is State.RUNNING}
    cluster.offsets.want(running)
    for name in cluster.movements.keys() - running:
        del cluster.movements[name]


def note_look(cluster: WatchedCluster, tick: Tick) -> None:
    """Note that the cluster was seen, whether or not there was anything to say."""
    cluster.journal.save(cluster.name, (), LookOutcome(tick.now, connectors=len(tick.watched)))


LOOKING: tuple[Callable[[WatchedCluster, Tick], None], ...] = (
    look,
    choose,
    doubt,
    ask_worker,
    note_movement,
)

LEARNING: tuple[Callable[[WatchedCluster, Tick, Turn], None], ...] = (
    ask_guards,
    ask_topics,
    remember_topics,
    ask_schemas,
    resolve_connectors,
)

TIDYING: tuple[Callable[[WatchedCluster, Tick], None], ...] = (
    forget_gone,
    want_offsets,
    note_look,
)

TELLING = (*LEARNING, plan_steps, tell)


def run_tick(cluster: WatchedCluster, enough: Callable[[], bool] = lambda: False) -> Tick:
    """One whole look; raises what a step raised, and what was told till then is remembered.

    Connectors that are new wait for their turn, and for the next look once ``enough``: thousands
    of them must not keep what is known already from being looked at.
    """
    tick = Tick(cluster.clock())
    for step in LOOKING:
        step(cluster, tick)
    for turn in _turns(cluster, tick, enough):
        for telling in TELLING if cluster.tells_runs else LEARNING:
            telling(cluster, tick, turn)
        cluster.progress(cluster.name, len(tick.known), len(tick.watched))
    for tidying in TIDYING:
        tidying(cluster, tick)
    return tick


def _turns(cluster: WatchedCluster, tick: Tick, enough: Callable[[], bool]) -> Iterator[Turn]:
    """First what moved, then what did not; then what is new or has to be asked, some at a time."""
    moved: list[ObservedConnector] = []
    same: list[ObservedConnector] = []
    new: list[ObservedConnector] = []
    for each in tick.watched:
        before = cluster.subjects.last_seen(each.name)
        if before is each:
            same.append(each)
        elif before is not None and before.config_version == each.config_version:
            moved.append(each)
        else:
            new.append(each)
    yield Turn(tuple(moved), NO_PATIENCE, is_first=True)
    yield Turn(tuple(same), NO_PATIENCE)
    new += [each for each in (*moved, *same) if cluster.topics.is_due(each, tick.now)]
    patience = _patience(cluster)
    for begin in range(0, len(new), NEW_AT_ONCE):
        if begin and enough():
            tick.postponed = len(new) - begin
            return
        # by name: an earlier turn may have learned which of a config's values are passwords
        seen = tick.snapshot.connectors
        two = tuple(seen[each.name] for each in new[begin : begin + 2 * NEW_AT_ONCE])
        yield Turn(two[:NEW_AT_ONCE], patience, next=two[NEW_AT_ONCE:])


def _patience(cluster: WatchedCluster) -> timedelta:
    return min(cluster.patience, cluster.settings.cluster.interval / 2)


def _parts(steps: Sequence[Step], size: int) -> Iterator[Sequence[Step]]:
    return (steps[begin : begin + size] for begin in range(0, len(steps), size))


def _basis(cluster: WatchedCluster, tick: Tick, observed: ObservedConnector) -> Basis:
    flow = cluster.flow(observed.name, tick.now)
    questions = cluster.questions.held(observed.name)
    topics = cluster.topics.known(observed)
    return Basis(
        topics=topics.topics,
        kafka=tick.kafka,
        worker_version=(cluster.worker or UNKNOWN_WORKER).version,
        provided=cluster.settings.providers.values(observed.config),
        quiet_since=flow.quiet_since if flow else None,
        fields=cluster.schemas.fields(questions) if questions else NO_FIELDS,
        missing_schemas=cluster.schemas.reasons(questions) if questions else (),
        unasked=topics.unasked,
        holds=topics.holds,
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


def _steps_of_seen(cluster: WatchedCluster, tick: Tick, turn: Turn) -> Iterator[Step]:
    policy = cluster.settings.policy
    for name, known in ((each.name, tick.known[each.name]) for each in turn.connectors):
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
            yield Step(name, memory, transitions, known.subject, known.summary, known.holds)


def _steps_of_left_out(cluster: WatchedCluster, tick: Tick) -> Iterator[Step]:
    """Who looks again says nothing of them: their runs stay until they are deleted or let in."""
    ends = cluster.settings.policy.ends_left_out
    for observed in tick.left_out:
        summary, memory = summary_of_left_out(observed), cluster.memories[observed.name]
        after, transitions = leave(memory, tick.now) if ends else (memory, ())
        if transitions or cluster.summaries.get(observed.name) != summary:
            yield Step(observed.name, after, transitions, None, summary)


def _change(cluster: WatchedCluster, step: Step, now: datetime) -> Change:
    return cluster.teller.change(step, cluster.flow(step.connector, now))
