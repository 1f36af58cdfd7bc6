"""The shapes of ``/api/v2``, stated once; the OpenAPI document and the tests come from here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Sureness = Annotated[
    Literal["certain", "declared", "likely", "unknown"],
    Field(
        description="What was seen at run time, or reported by a run of the job, is certain; what "
        "somebody said, or described without a run, is declared; what follows from a configuration "
        "is likely; the rest is unknown."
    ),
]


class ControlTopic(BaseModel):
    """A topic that a connector needs for itself, and that is no data."""

    namespace: str | None
    name: str | None
    kind: str | None


class Connector(BaseModel):
    """A connector, as a Mainstem watcher told it."""

    connectorClass: str | None
    tasks: int
    tasksRunning: int
    degraded: str | None
    """Why not all of it works, while that is so."""

    control: list[ControlTopic]


class GraphNode(BaseModel):
    """A job or a dataset of a graph."""

    id: str
    type: Literal["JOB", "DATASET"]
    kind: str
    """TABLE, TOPIC, FILE, … of a dataset; the integration of a job, such as SPARK."""

    namespace: str
    name: str
    platform: str | None
    """The system that it lies or runs in, such as kafka, postgres or kafka-connect."""

    cluster: str | None
    """The cluster or server that its namespace names, such as kafka://b1:9092."""

    distance: int
    """Hops from the node that was asked for."""

    upstream: int
    """How many neighbours there are before it, shown or not."""

    downstream: int
    updatedAt: str | None
    description: str | None
    owners: list[str]
    tags: list[str]
    state: str | None
    """A job's latest run's state."""

    stale: bool
    lastRunId: str | None
    lastRunAt: str | None
    connector: Connector | None
    """Tasks and control topics, where a Mainstem watcher told them."""

    columns: int
    """How many columns a dataset has."""


class GraphEdge(BaseModel):
    """Data goes from one node to the next."""

    source: str
    target: str
    evidence: str
    """``seen``, ``declared`` or ``config`` where a watcher tells it, ``unknown`` where it tells so
    of other edges of the job alone; else ``reported``."""

    confidence: Sureness
    """How sure that makes it; :mod:`mainstem.said.confidence` has the rule."""

    rows: int | None
    """Rows that the job's latest run counted here: since its last report where a Mainstem watcher
    tells it, else in the whole run."""

    rowsPerMinute: float | None
    """The pace of that, while the run goes on."""


class Pair(BaseModel):
    """An input of a job, and an output that it becomes."""

    source: str
    target: str


class Graph(BaseModel):
    """Part of the graph around a node."""

    root: str
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    truncated: bool
    pairs: dict[str, list[Pair]]
    """Which input becomes which output, by job, where pairs were asked for and the job tells them;
    of a job that is not named here every input may become every output."""


class GraphDifference(BaseModel):
    """What changed between two instants."""

    root: str
    nodes: list[GraphNode]
    added: list[GraphEdge]
    removed: list[GraphEdge]
    kept: list[GraphEdge]
    pairs: dict[str, list[Pair]]
    """Which input becomes which output, by job, where pairs were asked for and the job tells them;
    of a job that is not named here every input may become every output."""


class ColumnNode(BaseModel):
    """A column."""

    id: str
    dataset: str
    namespace: str
    name: str
    field: str
    distance: int


class Transformation(BaseModel):
    """One step that makes a column, in OpenLineage's words."""

    model_config = ConfigDict(extra="allow")
    type: str | None = None
    subtype: str | None = None
    description: str | None = None
    masking: bool | None = None


class ColumnLink(BaseModel):
    """One column is made from another."""

    source: str
    target: str
    transformations: list[Transformation]
    summary: Literal["IDENTITY", "TRANSFORMATION", "AGGREGATION", "MASKED", "INDIRECT", "UNKNOWN"]
    """The least harmless of the steps."""


class ColumnGraphShape(BaseModel):
    """Columns and what they are made from."""

    root: str
    nodes: list[ColumnNode]
    edges: list[ColumnLink]


class ColumnDifference(BaseModel):
    """How columns came to be made otherwise between two instants."""

    root: str
    nodes: list[ColumnNode]
    added: list[ColumnLink]
    removed: list[ColumnLink]
    kept: list[ColumnLink]


class ImpactRow(BaseModel):
    """Something downstream."""

    node: GraphNode
    columns: list[str]
    """The columns reached, where a column was asked for."""

    confidence: Sureness | None
    """That of the least sure edge on the surest way to it; null where a column was asked for and no
    job tells how it is made."""


class Impact(BaseModel):
    """Everything downstream, nearest first."""

    root: str
    rows: list[ImpactRow]
    truncated: bool


class PathShape(BaseModel):
    """A shortest way from one node to another; empty where none leads."""

    nodes: list[str]
    edges: list[GraphEdge]


class EdgePeriod(BaseModel):
    """A period in which a job read or wrote a dataset."""

    dataset: str
    written: bool
    since: str
    until: str | None


class EdgeHistory(BaseModel):
    """Every period of a job's edges."""

    job: str
    periods: list[EdgePeriod]


class Alias(BaseModel):
    """Two names of one thing; without names, of one namespace."""

    namespace: str
    name: str | None = None
    otherNamespace: str
    otherName: str | None = None
    origin: Literal["symlink", "user"] = "user"


class Aliases(BaseModel):
    """Every alias that holds, and those that a user took out."""

    aliases: list[Alias]
    rejected: list[Alias]


class SearchHit(BaseModel):
    """A job or dataset that was found, and by what."""

    id: str
    type: Literal["JOB", "DATASET"]
    kind: str
    namespace: str
    name: str
    matched: Literal["name", "column", "tag", "owner", "namespace"]

    value: str
    state: str | None
    stale: bool
    connector: Connector | None


class SearchHits(BaseModel):
    """What was found."""

    total: int
    """True for names; what is found elsewhere is counted up to 1,000."""

    hits: list[SearchHit]


class Consumer(BaseModel):
    """A job, and how many datasets it reads."""

    id: str
    inputs: int


class Hour(BaseModel):
    """An hour, by its beginning, and how many events came in it."""

    hour: str
    events: int


class Summary(BaseModel):
    """Counts for a home page."""

    jobs: int
    datasets: int
    namespaces: int
    events: int
    states: dict[str, int]
    stale: int
    failing: list[GraphNode]
    largestConsumers: list[Consumer]
    eventsByHour: list[Hour]


class ChangedPart(BaseModel):
    """A dataset that a job came to read or write, by its node id; or a column, by its name."""

    name: str
    written: bool | None
    """Whether the job writes it; null for a column."""


class NewsItem(BaseModel):
    """One thing that changed."""

    what: Literal["JOB", "DATASET", "EDGES", "SCHEMA", "CONFIG", "STATE"]
    """JOB and DATASET are new ones."""

    at: str
    node: GraphNode
    count: int
    """More than one: so many new ones in the node's namespace, of which the node is the newest."""

    before: str | None
    """The state, the configuration's or the schema's version before."""

    after: str | None
    added: list[ChangedPart]
    removed: list[ChangedPart]
    changed: list[ChangedPart]


class News(BaseModel):
    """What changed lately, the newest first."""

    since: str
    items: list[NewsItem]
    truncated: bool
    """Whether there may be more: too many items, or more jobs than were looked at."""


class SignIn(BaseModel):
    """What a page sends to sign in."""

    token: str


class OidcOffer(BaseModel):
    """An OpenID Connect issuer that people can sign in with."""

    host: str
    url: str
    """Where a browser begins; ``to`` is the part of the page that it comes back to."""


class Session(BaseModel):
    """Whether a token or a sign-in is needed, and what the presented one allows."""

    required: bool
    scope: Literal["read", "write"] | None
    version: str
    oidc: OidcOffer | None
    refused: str | None
    """Why the last attempt to sign in with the issuer failed; told once."""


class RunChanged(BaseModel):
    """A run that some event spoke of."""

    runId: str
    job: str
    state: str


class ChangeData(BaseModel):
    """The ``data`` of one server-sent event: what a transaction changed; at most 200 of each."""

    events: int
    jobs: list[str]
    datasets: list[str]
    runs: list[RunChanged]


class DatasetRef(BaseModel):
    """A name of a dataset."""

    namespace: str
    name: str


class JobRef(BaseModel):
    """A name of a job."""

    namespace: str
    name: str


class EstateField(BaseModel):
    """A column, and those below it."""

    model_config = ConfigDict(extra="allow")
    name: str
    type: str | None = None
    fields: list[EstateField] = []


class EstateDataset(BaseModel):
    """A dataset under the name it goes by; jobs name it by its place in the list."""

    namespace: str
    name: str
    kind: str
    aliases: list[DatasetRef]
    """Every other name that it is known by, those that only symlinks say among them."""

    fields: list[EstateField]
    formerColumns: list[str]
    """Columns that whoever tells its schema now once wrote, and does not any more."""


class EstateEvidence(BaseModel):
    """How a watcher knows that a job touches a dataset."""

    dataset: int
    evidence: str


class EstateColumns(BaseModel):
    """Columns of a dataset that a job makes others from."""

    dataset: int
    columns: list[str]


class EstateJob(BaseModel):
    """A job, what it reads and writes now, and its latest run."""

    namespace: str
    name: str
    integration: str | None
    type: str | None
    streaming: bool
    parent: JobRef | None
    state: str | None
    stale: bool
    heartbeatSeconds: float | None
    """How often its run promised to be heard of."""

    beganAt: str | None
    toldAt: str | None
    """When its latest run was last heard of."""

    inputs: list[int]
    outputs: list[int]
    pairs: list[tuple[int, int]] | None
    """Which input becomes which output; null where every input may become every output."""

    evidence: list[EstateEvidence]
    connectorClass: str | None
    unresolved: list[str]
    """What a watcher could not tell of the connector, and why."""

    columnsMade: list[int]
    """The outputs whose columns it told the making of."""

    columnsRead: list[EstateColumns]


class Estate(BaseModel):
    """Everything that is known now, in one answer."""

    madeAt: str
    datasets: list[EstateDataset]
    jobs: list[EstateJob]
    aliases: list[Alias]
    """What users said to be one thing."""

    rejected: list[Alias]
    """What users said not to be one thing."""


class FindingNode(BaseModel):
    """A node that a finding speaks of."""

    nodeId: str
    type: Literal["dataset", "job"]
    namespace: str
    name: str


class RemedyAlias(BaseModel):
    """Two names to be made one, as ``PUT /api/v2/aliases`` takes them."""

    namespace: str
    name: str | None
    otherNamespace: str
    otherName: str | None


class Remedy(BaseModel):
    """What to add, and where."""

    where: Literal["recipe", "backend", "spark", "connector", "debezium"]
    text: str
    """The exact lines."""

    aliases: list[RemedyAlias]
    """What the button that applies it sends; empty where no alias heals it."""


class Finding(BaseModel):
    """Something that does not align, or that is broken."""

    id: str
    """The same for as long as the same is wrong with the same nodes."""

    kind: str
    """docs/doctor.md has a section for each."""

    severity: Literal["error", "warn", "info"]
    confidence: Literal["certain", "likely", "possible"]
    title: str
    why: str
    nodes: list[FindingNode]
    remedies: list[Remedy]


class FindingCounts(BaseModel):
    """How many findings there are of each severity."""

    error: int
    warn: int
    info: int


class Findings(BaseModel):
    """What is wrong with the estate, the worst first."""

    findings: list[Finding]
    counts: FindingCounts
    madeAt: str
