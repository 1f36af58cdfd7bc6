"""What the doctor looks at: one estate as plain data, whoever told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from datetime import datetime

    from mainstem.names.dataset import DatasetName


class Dataset(Struct, frozen=True):
    """A dataset under the name it goes by."""

    name: DatasetName
    kind: str = "TABLE"
    others: tuple[DatasetName, ...] = ()
    """Every other name that it is known by."""

    columns: tuple[str, ...] = ()
    """The paths of its fields; empty where nobody told a schema."""

    former: frozenset[str] = frozenset()
    """Columns that whoever tells its schema now once wrote, and does not any more."""

    @property
    def names(self) -> tuple[DatasetName, ...]:
        """All its names."""
        return (self.name, *self.others)


class JobName(Struct, frozen=True, order=True):
    """What a job is called."""

    namespace: str
    name: str


class Job(Struct, frozen=True):
    """A job, what it reads and writes now, and its latest run; datasets by their places."""

    name: JobName
    integration: str | None = None
    type: str | None = None
    """Its own word, such as SINK_CONNECTOR or APPLICATION."""

    streaming: bool = False
    parent: JobName | None = None
    state: str | None = None
    stale: bool = False
    heartbeat: float | None = None
    """Seconds between the signs of life that its run promised."""

    began: datetime | None = None
    told: datetime | None = None
    """When its latest run was last heard of."""

    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] | None = None
    """Which input becomes which output; None where every input may become every output."""

    evidence: dict[int, str] = {}
    """How a watcher knows that it touches a dataset."""

    connector_class: str | None = None
    unresolved: tuple[str, ...] = ()
    columns_made: frozenset[int] = frozenset()
    """The outputs whose columns it told the making of."""

    columns_read: dict[int, frozenset[str]] = {}

    @property
    def is_connector(self) -> bool:
        """Whether a watcher tells it."""
        return self.integration == "KAFKA_CONNECT"


class Link(Struct, frozen=True):
    """Two names of one thing, the first the one it goes by; without names, of one system."""

    namespace: str
    name: str | None
    other_namespace: str
    other_name: str | None

    @property
    def ends(self) -> frozenset[tuple[str, str | None]]:
        """Both, in no order."""
        return frozenset({(self.namespace, self.name), (self.other_namespace, self.other_name)})


class Picture(Struct, frozen=True):
    """One estate at one instant."""

    made_at: datetime
    datasets: tuple[Dataset, ...] = ()
    jobs: tuple[Job, ...] = ()
    links: tuple[Link, ...] = ()
    """What users said to be one."""

    rejected: tuple[Link, ...] = ()
    """What users said not to be one: nobody is told of it again."""

    cluster_ids: dict[str, str] = {}
    """The id of the Kafka cluster behind a namespace, where somebody asked it."""

    is_whole: bool = True
    """Whether every producer was heard: else that nobody reads a topic means nothing."""
