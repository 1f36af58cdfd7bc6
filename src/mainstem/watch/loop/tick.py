"""One look at one cluster and all that follows from it, as a tuple of named steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from mainstem.errors import MainstemError
from mainstem.names.run_id import run_id
from mainstem.outbox import OutboxItem
from mainstem.watch.connect.snapshot import ClusterSnapshot, ObservedConnector, WorkerInfo
from mainstem.watch.events import Subject, build, end_from_memory
from mainstem.watch.journal import Change, Journal, LookOutcome
from mainstem.watch.loop.kafka_name import KafkaName, name_kafka
from mainstem.watch.loop.plan import Step, plan_gone, plan_seen, sighting_of, summary_of
from mainstem.watch.loop.resolving import ResolutionBook
from mainstem.watch.loop.topics import TopicsBook
from mainstem.watch.resolvers.model import Resolution
from mainstem.watch.runs import RunMemory

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from mainstem.clock import Clock
    from mainstem.watch.connect.client import ConnectClient
    from mainstem.watch.loop.settings import ClusterSettings

PATIENCE = timedelta(seconds=2)
"""How long a look waits for topics; what comes later is told in the next look."""

UNKNOWN_WORKER = WorkerInfo("unknown", None)


class WatchedCluster:
    """What stays between two looks at one cluster."""

    def __init__(
        self,
        settings: ClusterSettings,
        client: ConnectClient,
        journal: Journal,
        clock: Clock,
        pool: Executor,
    ) -> None:
        self.settings = settings
        self.client = client
        self.journal = journal
        self.clock = clock
        self.worker: WorkerInfo | None = None
        self.memories: dict[str, RunMemory] = journal.memories(settings.cluster.name)
        self.topics = TopicsBook(client, pool, settings.cluster.topics_refresh)
        self.resolutions = ResolutionBook(settings)
        self.summaries: dict[str, bytes] = {}

    @property
    def name(self) -> str:
        """The cluster's name in the recipe."""
        return self.settings.cluster.name

    def make_run_id(self, time: datetime, connector: str) -> str:
        """The id of the run of a connector that began at a time."""
        return str(run_id(time, self.settings.job_namespace, connector))


@dataclass(slots=True)
class Tick:
    """One look on its way through the steps; each step fills in its part."""

    now: datetime
    snapshot: ClusterSnapshot = field(default_factory=lambda: ClusterSnapshot({}))
    watched: tuple[ObservedConnector, ...] = ()
    kafka: KafkaName = field(default_factory=lambda: KafkaName("kafka://unknown"))
    resolutions: dict[str, Resolution] = field(default_factory=dict[str, Resolution])
    steps: tuple[Step, ...] = ()
    changes: tuple[Change, ...] = ()


def look(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask once for every connector, and keep those that the recipe lets through."""
    tick.snapshot = cluster.client.look()
    tick.now = cluster.clock()
    tick.watched = tuple(
        connector
        for name, connector in tick.snapshot.connectors.items()
        if cluster.settings.watches(name)
    )


def ask_worker(cluster: WatchedCluster, tick: Tick) -> None:
    """Learn version and Kafka cluster id once; a worker that does not tell is asked again."""
    if cluster.worker is None:
        try:
            cluster.worker = cluster.client.worker()
        except MainstemError:
            cluster.worker = None
    worker = cluster.worker or UNKNOWN_WORKER
    settings = cluster.settings
    tick.kafka = name_kafka(
        settings.cluster.kafka.bootstrap if settings.cluster.kafka else None,
        settings.worker_properties,
        settings.environment_bootstrap,
        worker.kafka_cluster_id,
        cluster.name,
    )


def ask_topics(cluster: WatchedCluster, tick: Tick) -> None:
    """Ask for the topics of the connectors that are due."""
    cluster.topics.ask(tick.watched, tick.now, PATIENCE)


def resolve_connectors(cluster: WatchedCluster, tick: Tick) -> None:
    """Say what each connector reads and writes."""
    tick.resolutions = {
        observed.name: cluster.resolutions.resolution(
            observed, cluster.topics.topics(observed.name), tick.kafka
        )
        for observed in tick.watched
    }
    cluster.resolutions.keep_only(tick.resolutions)


def plan_steps(cluster: WatchedCluster, tick: Tick) -> None:
    """Decide what is to be said of each run."""
    policy = cluster.settings.policy
    steps: list[Step] = []
    for observed in tick.watched:
        subject = _subject(cluster, observed, tick.resolutions[observed.name])
        sighting = sighting_of(observed, subject.resolution)
        previous = cluster.memories.get(observed.name)
        step = plan_seen(
            subject,
            sighting,
            previous,
            now=tick.now,
            policy=policy,
            make_run_id=cluster.make_run_id,
        )
        summary = summary_of(subject, sighting)
        if step is None and cluster.summaries.get(observed.name) != summary:
            step = Step(observed.name, previous or RunMemory(None), (), subject)
        cluster.summaries[observed.name] = summary
        if step is not None:
            steps.append(step)
    # what could not be read, or is no longer watched, is there all the same
    there = tick.snapshot.connectors.keys() | tick.snapshot.unreadable.keys()
    steps.extend(plan_gone(cluster.memories, there, tick.now, policy))
    tick.steps = tuple(steps)


def build_events(cluster: WatchedCluster, tick: Tick) -> None:
    """Tell each step in OpenLineage."""
    tick.changes = tuple(_change(cluster, step) for step in tick.steps)


def save(cluster: WatchedCluster, tick: Tick) -> None:
    """Remember and queue everything in one transaction; only then does it count as seen."""
    outcome = LookOutcome(tick.now, connectors=len(tick.watched))
    cluster.journal.save(cluster.name, tick.changes, outcome)
    for change in tick.changes:
        if change.memory is None:
            cluster.memories.pop(change.connector, None)
            cluster.summaries.pop(change.connector, None)
        else:
            cluster.memories[change.connector] = change.memory


STEPS: tuple[Callable[[WatchedCluster, Tick], None], ...] = (
    look,
    ask_worker,
    ask_topics,
    resolve_connectors,
    plan_steps,
    build_events,
    save,
)


def run_tick(cluster: WatchedCluster) -> Tick:
    """One whole look; raises what a step raised, and then nothing was remembered."""
    tick = Tick(cluster.clock())
    for step in STEPS:
        step(cluster, tick)
    return tick


def _subject(
    cluster: WatchedCluster, observed: ObservedConnector, resolution: Resolution
) -> Subject:
    return Subject(
        job_namespace=cluster.settings.job_namespace,
        job_name=observed.name,
        observed=observed,
        resolution=resolution,
        worker_version=(cluster.worker or UNKNOWN_WORKER).version,
        heartbeat=cluster.settings.policy.heartbeat,
        whole_traces=cluster.settings.cluster.traces == "whole",
    )


def _change(cluster: WatchedCluster, step: Step) -> Change:
    summary = cluster.summaries.get(step.connector, b"{}")
    if step.subject is not None:
        bodies = [build(step.subject, transition) for transition in step.transitions]
    else:
        last = cluster.journal.last_event(cluster.name, step.connector) or b"{}"
        bodies = [end_from_memory(last, transition) for transition in step.transitions]
    items = tuple(
        OutboxItem(transition.run_id or step.connector, body)
        for transition, body in zip(step.transitions, bodies, strict=True)
    )
    return Change(step.connector, step.memory, items, summary)
