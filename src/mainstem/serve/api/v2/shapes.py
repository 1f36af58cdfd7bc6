"""The shapes of ``/api/v2``, stated once; the OpenAPI document and the tests come from here."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class Error(BaseModel):
    """What is wrong with a request."""

    code: int
    message: str
    errors: list[str] = []
    """Every mistake, where there are several."""


class GraphNode(BaseModel):
    """A job or a dataset of a graph."""

    id: str
    type: Literal["JOB", "DATASET"]
    kind: str
    """TABLE, TOPIC, FILE, … of a dataset; the integration of a job, such as SPARK."""

    namespace: str
    name: str
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
    connector: dict[str, Any] | None
    """Tasks and control topics, where a Mainstem watcher told them."""

    columns: int
    """How many columns a dataset has."""


class GraphEdge(BaseModel):
    """Data goes from one node to the next."""

    source: str
    target: str
    evidence: str
    """``seen``, ``declared`` or ``config`` where the producer tells it; else ``reported``."""


class Graph(BaseModel):
    """Part of the graph around a node."""

    root: str
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    truncated: bool


class GraphDifference(BaseModel):
    """What changed between two instants."""

    root: str
    nodes: list[GraphNode]
    added: list[GraphEdge]
    removed: list[GraphEdge]
    kept: list[GraphEdge]


class ColumnNode(BaseModel):
    """A column."""

    id: str
    dataset: str
    namespace: str
    name: str
    field: str
    distance: int


class ColumnLink(BaseModel):
    """One column is made from another."""

    source: str
    target: str
    transformations: list[dict[str, Any]]
    summary: str
    """IDENTITY, TRANSFORMATION, AGGREGATION, MASKED, INDIRECT or UNKNOWN."""


class ColumnGraphShape(BaseModel):
    """Columns and what they are made from."""

    root: str
    nodes: list[ColumnNode]
    edges: list[ColumnLink]


class ImpactRow(BaseModel):
    """Something downstream."""

    node: GraphNode
    columns: list[str]
    """The columns reached, where a column was asked for."""


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
    matched: str
    """``name``, ``column``, ``tag``, ``owner`` or ``namespace``."""

    value: str
    state: str | None


class SearchHits(BaseModel):
    """What was found."""

    total: int
    hits: list[SearchHit]


class Summary(BaseModel):
    """Counts for a home page."""

    jobs: int
    datasets: int
    namespaces: int
    events: int
    states: dict[str, int]
    stale: int
    failing: list[GraphNode]
    changedToday: list[GraphNode]
    largestConsumers: list[dict[str, Any]]
    eventsByHour: list[dict[str, Any]]


class SignIn(BaseModel):
    """What a page sends to sign in."""

    token: str


class Session(BaseModel):
    """Whether a token is needed, and what the presented one allows."""

    required: bool
    scope: str | None
    version: str
