"""One cluster as the loop holds it: what stays between two looks, and one look on its way."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.names.run_id import run_id
from mainstem.watch.connect.client import Limits
from mainstem.watch.connect.snapshot import ClusterSnapshot, ObservedConnector, WorkerInfo
from mainstem.watch.loop.absences import Absences
from mainstem.watch.loop.guards import GuardBook
from mainstem.watch.loop.kafka_name import KafkaName
from mainstem.watch.loop.offsets import OffsetsRound
from mainstem.watch.loop.reports import TakeProgress, TakeReport, ignore_progress, ignore_report
from mainstem.watch.loop.schemas import SchemaBook
from mainstem.watch.loop.silences import Silences
from mainstem.watch.loop.subjects import Known, SubjectBook
from mainstem.watch.loop.telling import Prepare, Teller
from mainstem.watch.loop.topic_questions import QuestionBook
from mainstem.watch.loop.topics import TopicsBook, decide_lineage
from mainstem.watch.runs.movement import Flow, Movement, flow_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from datetime import datetime

    from mainstem.clock import Clock
    from mainstem.watch.connect.client import ConnectClient
    from mainstem.watch.journal import Journal
    from mainstem.watch.loop.plan import Step
    from mainstem.watch.loop.settings import ClusterSettings
    from mainstem.watch.runs import RunMemory


class Surroundings(Struct, frozen=True):
    """What all clusters of one watcher share."""

    journal: Journal
    clock: Clock
    prepare: Prepare = lambda body: body
    report: TakeReport = ignore_report
    silences: Silences = field(default_factory=Silences)
    limits: Limits = field(default_factory=Limits)
    """What one request to a cluster may cost."""

    patience: timedelta = timedelta(seconds=2)
    """How long a turn waits for an answer beside the look; what comes later counts in the next."""

    confirms_within: timedelta = timedelta(seconds=0.2)
    """How long a look waits for a worker to say that a connector is gone."""

    progress: TakeProgress = ignore_progress

    tells_runs: bool = True
    """False: only learned what connectors move; no run is remembered, and no event made."""


class WatchedCluster:
    """What stays between two looks at one cluster."""

    def __init__(
        self,
        settings: ClusterSettings,
        client: ConnectClient,
        surroundings: Surroundings,
        pool: Executor,
    ) -> None:
        self.settings = settings
        self.client = client
        self.journal = surroundings.journal
        self.clock = surroundings.clock
        self.teller = Teller(
            surroundings.journal,
            settings.cluster.name,
            surroundings.prepare,
            with_children=settings.cluster.granularity == "dataset",
        )
        self.progress = surroundings.progress
        self.tells_runs = surroundings.tells_runs
        self.pool = pool
        self.worker: WorkerInfo | None = None
        self.asked_worker: Future[WorkerInfo] | None = None
        self.memories: dict[str, RunMemory] = self.journal.memories(settings.cluster.name)
        self.patience = surroundings.patience
        self.topics = TopicsBook(
            client,
            pool,
            settings.cluster.topics_refresh,
            self._asks_topics,
            self.journal.topics(settings.cluster.name),
        )
        self.guards = GuardBook(client, pool)
        self.absences = Absences(client, pool)
        self.confirms_within = surroundings.confirms_within
        self.subjects = SubjectBook(settings)
        self.questions = QuestionBook(settings.registry)
        self.schemas = SchemaBook(settings.registry.limits, settings.registry.questions_per_look)
        self.offsets = OffsetsRound(client, self.clock)
        self.movements: dict[str, Movement] = {}
        self.summaries: dict[str, bytes] = {}
        self.watches = cache(settings.watches)
        """Whether the recipe lets a connector through, matched once per name."""

    def _asks_topics(self, connector: ObservedConnector) -> bool:
        """How an edge is known is told with runs alone."""
        wanted = self.tells_runs or decide_lineage(connector)
        return wanted and self.settings.cluster.use_connect_topics_api

    @property
    def name(self) -> str:
        """The cluster's name in the recipe."""
        return self.settings.cluster.name

    def names_told(self) -> set[str]:
        """The connectors of which something was told that does not stand when they are gone."""
        if self.tells_runs:
            return set(self.memories)
        return {connector for connector, _ in self.journal.reported(self.name)}

    def flow(self, connector: str, now: datetime) -> Flow | None:
        """How a connector's data moves, as far as it was read."""
        movement = self.movements.get(connector)
        return movement and flow_of(movement, now, self.settings.cluster.quiet_after)

    def make_run_id(self, time: datetime, connector: str) -> str:
        """The id of the run of a connector that began at a time."""
        return str(run_id(time, self.settings.job_namespace, connector))


class Tick(Struct):
    """One look; ``known`` and ``steps`` grow turn by turn."""

    now: datetime
    snapshot: ClusterSnapshot = field(default_factory=lambda: ClusterSnapshot({}))
    watched: tuple[ObservedConnector, ...] = ()
    left_out: tuple[ObservedConnector, ...] = ()
    """Remembered connectors that are there, and that the recipe no longer lets through."""

    unsure: frozenset[str] = frozenset()
    """Connectors that were not shown, and of which the worker does not say that they are gone."""

    kafka: KafkaName = field(default_factory=lambda: KafkaName("kafka://unknown"))
    known: dict[str, Known] = field(default_factory=dict[str, Known])
    steps: list[Step] = field(default_factory=list["Step"])
    postponed: int = 0
    """Connectors whose turn comes in a later look."""


class Turn(Struct):
    """Some connectors of one look on their way through the steps; each step fills in its part."""

    connectors: tuple[ObservedConnector, ...]
    patience: timedelta
    """How long this turn waits for an answer beside the look."""

    is_first: bool = False
    next: tuple[ObservedConnector, ...] = ()
    """Whose turn comes then: a worker can answer for them while these are thought about."""

    steps: tuple[Step, ...] = ()
