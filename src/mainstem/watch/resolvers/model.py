"""What a resolver is given and what it answers; every family speaks these types."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers.column_rules import NOT_TOLD, ColumnRules
from mainstem.watch.schema_registry.fields import DatasetSchema, TopicFields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Direction(StrEnum):
    """Which way a connector moves data, as REST says it; the class name may lie."""

    SOURCE = "source"
    SINK = "sink"
    UNKNOWN = "unknown"
    """The plugin could not be loaded, or a config was given without its type."""


class Evidence(StrEnum):
    """How an edge is known, from the strongest to the weakest word."""

    SEEN = "seen"
    """Active topics, tasks or offsets at run time."""

    DECLARED = "declared"
    """The user says so, in the recipe or in the connector's own lineage keys."""

    CONFIG = "config"
    """Derived from the connector's config."""


class Declaration(Struct, frozen=True):
    """The user's word about one connector, from the recipe."""

    inputs: tuple[DatasetName, ...] = ()
    outputs: tuple[DatasetName, ...] = ()
    edges: tuple[tuple[DatasetName, DatasetName], ...] = ()
    sources: tuple[DatasetName, ...] = ()
    """Where a source of a class that nobody knows reads: each feeds every topic it writes."""

    targets: tuple[DatasetName, ...] = ()
    """Where a sink writes, whatever its config says: each is fed by every topic it reads."""

    topics: tuple[str, ...] = ()
    """The topics that a sink with targets reads, where neither its config nor the worker tells."""

    @property
    def says_something(self) -> bool:
        """Whether anything is declared at all."""
        return bool(self.inputs or self.outputs or self.edges or self.sources or self.targets)


class Connector(Struct, frozen=True):
    """One connector as a resolver sees it: redacted config, topics seen, the Kafka it works on."""

    name: str
    direction: Direction
    config: Mapping[str, str]
    kafka_namespace: str
    """``kafka://host:port`` of its Kafka, or by cluster id where no name is known."""

    topics: tuple[str, ...] | None = None
    """The topics seen at run time; None is unknown, which is not none."""

    tasks: tuple[Mapping[str, str], ...] = ()
    """Task configs, where they were asked for."""

    provided: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values of config-provider placeholders, by the whole placeholder."""

    fields: Mapping[str, TopicFields] = field(default_factory=dict[str, TopicFields])
    """Schemas of topics, as they lie in Kafka."""

    declared: Declaration = Declaration()
    notes: tuple[str, ...] = ()
    """What a person should know of what was given; the resolution repeats it."""


class Edge(Struct, frozen=True):
    """Data of ``input`` reaches ``output``."""

    input: DatasetName
    output: DatasetName
    evidence: Evidence
    topic_before: str | None = None
    """For a source, what its output is called before the transforms, where config says so."""


class ControlTopic(Struct, frozen=True):
    """A topic that the connector uses for itself; never a data output."""

    dataset: DatasetName
    kind: str
    """``dead-letter``, ``schema-history``, ``heartbeat``, ``transaction``, ``signal``, …"""


class ColumnSource(Struct, frozen=True):
    """One column that an output column is made from."""

    dataset: DatasetName
    field: str
    transformation: str = "IDENTITY"
    """OpenLineage's subtype: IDENTITY, TRANSFORMATION, AGGREGATION, FILTER, JOIN, …"""

    direct: bool = True
    """False where it only decides whether a row arrives (FILTER) or how (CONDITIONAL)."""

    masking: bool = False
    of_rows: bool = False
    """Whether it decides over whole rows, and so over every column of the output alike."""


class ColumnEdge(Struct, frozen=True):
    """What one column of an output is made from; no sources means the connector makes it up."""

    output: DatasetName
    field: str
    sources: tuple[ColumnSource, ...]


class Symlink(Struct, frozen=True):
    """Another name of a dataset, in the words of OpenLineage's ``symlinks`` facet."""

    dataset: DatasetName
    type: str = "TABLE"


class Resolution(Struct, frozen=True):
    """What a connector reads and writes, as far as it is known."""

    family: str
    inputs: tuple[DatasetName, ...] = ()
    outputs: tuple[DatasetName, ...] = ()
    edges: tuple[Edge, ...] = ()
    control: tuple[ControlTopic, ...] = ()
    columns: tuple[ColumnEdge, ...] = ()
    symlinks: Mapping[DatasetName, tuple[Symlink, ...]] = field(
        default_factory=dict[DatasetName, tuple[Symlink, ...]]
    )
    schemas: Mapping[DatasetName, DatasetSchema] = field(
        default_factory=dict[DatasetName, DatasetSchema]
    )
    """The columns of datasets, where they are known: a topic's by its registry."""

    open_topics: tuple[str, ...] = ()
    """A source's topics whose names the transforms make unpredictable, as they are before them."""

    job_name: str | None = None
    """What the user calls the job, where the connector's own lineage keys say so."""

    unresolved: tuple[str, ...] = ()
    """Reasons, one per part that could not be told; the parts that could are above all the same."""

    notes: tuple[str, ...] = ()
    """What a person should know: conflicts, assumptions, odd values. Never a secret."""


class Unresolved(Struct, frozen=True):
    """Nothing can be told of this connector, and why."""

    family: str
    reason: str
    notes: tuple[str, ...] = ()


class Reads(Struct, frozen=True):
    """The config keys that may leave ``connect``: exact names, and patterns matched whole."""

    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    """Regular expressions for keys that carry a name inside, such as ``topic\\.override\\..*``."""


class Resolver(Protocol):
    """What every family, built in or from the entry-point group ``mainstem.resolvers``, offers."""

    @property
    def name(self) -> str:
        """The family's name, as ``explain`` prints it."""
        ...

    @property
    def classes(self) -> tuple[str, ...]:
        """Every ``connector.class`` the family answers for."""
        ...

    @property
    def reads(self) -> Reads:
        """The config keys it needs; no other key ever reaches it."""
        ...

    @property
    def resolve(self) -> Callable[[Connector], Resolution | Unresolved]:
        """From a connector to what it reads and writes; pure."""
        ...

    @property
    def columns(self) -> ColumnRules:
        """Which columns its connectors write or read."""
        ...


class Family(Struct, frozen=True):
    """A connector family: one file, one ``RESOLVER = Family(...)``."""

    name: str
    classes: tuple[str, ...]
    """Every ``connector.class`` it is known under: full names, forks', managed short names.

    One that ends in ``.*`` stands for a whole package, where a vendor makes a class per component.
    """

    reads: Reads
    resolve: Callable[[Connector], Resolution | Unresolved]
    columns: ColumnRules = NOT_TOLD
    """Which columns its connectors write or read; nothing is told where it says nothing."""
