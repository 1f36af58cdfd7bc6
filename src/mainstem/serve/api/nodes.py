"""Nodes and edges as ``/api/v2`` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.names.node_id import NodeKind, node_text
from mainstem.names.platforms import cluster_of, platform_of
from mainstem.said.confidence import REPORTED, UNTOLD, Confidence, confidence_of
from mainstem.said.json_values import Json, as_object, as_objects, as_text
from mainstem.said.times import SECOND, iso
from mainstem.serve.model.run import MISSED_HEARTBEATS
from mainstem.serve.store.reading import job_rows, run_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.api.resources import Resources
    from mainstem.serve.graph.walk import Edge, Graph, Node
    from mainstem.serve.store.reading import DatasetRow, JobRow, RunRow
    from mainstem.sql.connection import Connection


NO_DATASET = 0


class _Told(NamedTuple):
    """What the current runs of jobs told of their edges."""

    evidence: dict[tuple[int, int], str]
    """How each is known, by job and dataset."""

    rows: dict[tuple[int, int, bool], tuple[int, float | None]]
    """Rows and rows per minute, by job, dataset and whether it is written."""

    ran: set[int]
    """Jobs of which some run told the edges."""

    watched: set[int]
    """Jobs of which a watcher tells how it knows their edges."""

    def add(self, job: int, dataset: int, evidence: str) -> None:
        """Keep how a side of a pair is known: a dataset in several is as sure as the surest."""
        known = self.evidence.setdefault((job, dataset), evidence)
        if confidence_of(evidence, ran=True).doubt < confidence_of(known, ran=True).doubt:
            self.evidence[job, dataset] = evidence

    def known_by(self, job: int, dataset: int) -> tuple[str, Confidence]:
        """How an edge is known, and how sure that is."""
        otherwise = UNTOLD if job in self.watched else REPORTED
        evidence = self.evidence.get((job, dataset), otherwise)
        return evidence, confidence_of(evidence, ran=job in self.ran)


class Nodes:
    """Renders nodes and edges of one answer."""

    def __init__(
        self, backend: Backend, connection: Connection, resources: Resources, graph: Graph
    ) -> None:
        self._backend = backend
        self._connection = connection
        self._resources = resources
        self._graph = graph
        self._now = backend.now()
        self._ids: dict[Node, str] = {}
        self._job_rows: dict[int, JobRow] = {}
        self._run_rows: dict[str, RunRow] = {}

    def node_id(self, node: Node) -> str:
        """The node id of a node."""
        known = self._ids.get(node)
        if known is None:
            is_job, number = node
            name = self._backend.catalog.job(number) if is_job else self._resources.name_of(number)
            kind = NodeKind.JOB if is_job else NodeKind.DATASET
            known = self._ids[node] = node_text(kind, name.namespace, name.name)
        return known

    def shown(self, distances: dict[Node, int]) -> list[dict[str, Any]]:
        """Nodes, nearest first."""
        jobs = self._jobs(number for is_job, number in distances if is_job)
        runs = self._runs(row.latest_run for row in jobs.values())
        wanted = [number for is_job, number in distances if not is_job]
        datasets = self._resources.rows_of(wanted)
        shown: list[dict[str, Any]] = []
        for node, distance in distances.items():
            is_job, number = node
            if is_job and number in jobs:
                row = jobs[number]
                shown.append(self._job(node, distance, row, runs.get(row.latest_run or "")))
            elif not is_job and number in datasets:
                shown.append(self._dataset(node, distance, datasets[number]))
        return sorted(shown, key=lambda one: (one["distance"], one["id"]))

    def pairs(
        self, pairs: Mapping[int, Iterable[tuple[int, int]]]
    ) -> dict[str, list[dict[str, str]]]:
        """Pairs of datasets by job, as node ids."""
        return {
            self.node_id((True, job)): [
                {"source": self.node_id((False, source)), "target": self.node_id((False, output))}
                for source, output in told
            ]
            for job, told in pairs.items()
        }

    def edges(self, edges: Sequence[Edge]) -> list[dict[str, Any]]:
        """Edges in the order given, each with how it is known and what went over it."""
        told = self._told({one for edge in edges for is_job, one in edge if is_job})
        shown: list[dict[str, Any]] = []
        for source, target in edges:
            job, dataset = (source, target) if source[0] else (target, source)
            evidence, confidence = told.known_by(job[1], dataset[1])
            rows, per_minute = told.rows.get((job[1], dataset[1], source[0]), (None, None))
            shown.append(
                {
                    "source": self.node_id(source),
                    "target": self.node_id(target),
                    "evidence": evidence,
                    "confidence": confidence,
                    "rows": rows,
                    "rowsPerMinute": per_minute,
                }
            )
        return shown

    def doubts(self, edges: Iterable[Edge]) -> dict[Edge, int]:
        """How doubtful each edge is."""
        jobs = {one for edge in edges for is_job, one in edge if is_job}
        told = self._told(jobs)
        otherwise = {job: told.known_by(job, NO_DATASET)[1].doubt for job in jobs}
        doubts: dict[Edge, int] = {}
        for edge in edges:
            (is_job, number), (_, other) = edge
            job, dataset = (number, other) if is_job else (other, number)
            is_told = (job, dataset) in told.evidence
            doubts[edge] = told.known_by(job, dataset)[1].doubt if is_told else otherwise[job]
        return doubts

    def _told(self, jobs: set[int]) -> _Told:
        current = {row.current_run: number for number, row in self._jobs(jobs).items()}
        told = _Told({}, {}, set(), set())
        for run_id, run in self._runs(current).items():
            job = current[run_id]
            facet = connector_facet(run.facets)
            if not run.declared:
                told.ran.add(job)
            if facet:
                told.watched.add(job)
            for edge in as_objects(facet.get("edges")):
                for side in ("input", "output"):
                    leader = self._leader(as_object(edge.get(side)))
                    if leader is not None:
                        told.add(job, leader, str(edge.get("evidence")))
            for name, is_written, rows_moved in moved_rows(run):
                leader = self._leader(name)
                if leader is not None:
                    pace = rows_per_minute(run, rows_moved, self._now, watched=bool(facet))
                    told.rows[job, leader, is_written] = (rows_moved, pace)
        return told

    def _jobs(self, wanted: Iterable[int]) -> dict[int, JobRow]:
        """Rows of jobs, read once for one answer."""
        known, wanted = self._job_rows, list(wanted)
        known |= job_rows(self._connection, [one for one in wanted if one not in known])
        return {one: known[one] for one in wanted if one in known}

    def _runs(self, wanted: Iterable[str | None]) -> dict[str, RunRow]:
        """Rows of runs, read once for one answer: a job's current run is most often its latest."""
        known, wanted = self._run_rows, [one for one in wanted if one]
        known |= run_rows(self._connection, [one for one in wanted if one not in known])
        return {one: known[one] for one in wanted if one in known}

    def _leader(self, said: Json) -> int | None:
        name = DatasetName(str(said.get("namespace")), str(said.get("name")))
        return self._resources.identities.find(name, self._backend.catalog.datasets)

    def _job(self, node: Node, distance: int, row: JobRow, run: RunRow | None) -> dict[str, Any]:
        name = self._backend.catalog.job(node[1])
        _, _, description, labels, _, owners, _ = orjson.loads(row.head)
        stale = run is not None and run.overdue_after is not None and run.overdue_after < self._now
        return {
            "id": self.node_id(node),
            "type": "JOB",
            "kind": labels[-1] if labels else "JOB",
            "namespace": name.namespace,
            "name": name.name,
            "platform": node_platform(name.namespace, is_job=True),
            "cluster": cluster_of(name.namespace),
            "distance": distance,
            "upstream": len(self._graph.inputs(node[1])),
            "downstream": len(self._graph.outputs(node[1])),
            "updatedAt": iso(row.updated),
            "description": description,
            "owners": owners,
            "tags": self._resources.job_tags(row),
            "state": None if run is None else run.state,
            "stale": stale,
            "lastRunId": None if run is None else run.id,
            "lastRunAt": None if run is None else iso(run.created),
            "connector": None if run is None else _connector(run),
            "columns": 0,
        }

    def _dataset(self, node: Node, distance: int, row: DatasetRow) -> dict[str, Any]:
        name = self._resources.name_of(node[1])
        kind, _, _, description, _, owners = orjson.loads(row.head)
        return {
            "id": self.node_id(node),
            "type": "DATASET",
            "kind": kind,
            "namespace": name.namespace,
            "name": name.name,
            "platform": node_platform(name.namespace, is_job=False),
            "cluster": cluster_of(name.namespace),
            "distance": distance,
            "upstream": len(self._graph.writers(node[1])),
            "downstream": len(self._graph.readers(node[1])),
            "updatedAt": iso(row.updated),
            "description": description,
            "owners": owners,
            "tags": self._resources.tags(node[1], row),
            "state": None,
            "stale": False,
            "lastRunId": None,
            "lastRunAt": None if row.written is None else iso(row.written),
            "connector": None,
            "columns": len(orjson.loads(row.fields)),
        }


def node_platform(namespace: str, *, is_job: bool) -> str | None:
    """The system that a node lies or runs in; a job's namespace may be any word, and tells none."""
    return None if is_job and "://" not in namespace else platform_of(namespace)


def moved_rows(run: RunRow) -> Iterator[tuple[Json, bool, int]]:
    """Which datasets a run counted rows of, whether it wrote them, and how many."""
    for sides, statistics, is_written in (
        (run.inputs, "inputStatistics", False),
        (run.outputs, "outputStatistics", True),
    ):
        if statistics.encode() not in sides:
            continue
        for one in orjson.loads(sides):
            rows = as_object(one["facets"].get(statistics)).get("rowCount")
            if isinstance(rows, int) and not isinstance(rows, bool) and rows >= 0:
                yield one["datasetVersionId"], is_written, rows


def rows_per_minute(run: RunRow, rows: int, now: int, *, watched: bool) -> float | None:
    """How fast a run that goes on moves rows.

    A watcher counts the rows since its last report, every other producer those of the whole run.
    """
    is_late = run.overdue_after is not None and run.overdue_after < now
    if run.state != "RUNNING" or is_late:
        return None
    if watched:
        span = (run.overdue_after or run.updated) - run.updated
        period = span / MISSED_HEARTBEATS
    else:
        period = run.updated - (run.started or run.created)
    return round(rows * 60 * SECOND / period, 1) if period > 0 else None


def connector_facet(run_facets: bytes) -> Json:
    """What a Mainstem watcher told of the connector; empty where none did."""
    if b'"mainstem_connector"' not in run_facets:
        return {}
    return as_object(orjson.loads(run_facets).get("mainstem_connector"))


def _connector(run: RunRow) -> Json | None:
    facet = connector_facet(run.facets)
    if not facet:
        return None
    states = [one.get("state") for one in as_objects(facet.get("tasks"))]
    return {
        "connectorClass": as_text(facet.get("connectorClass")),
        "tasks": len(states),
        "tasksRunning": states.count("RUNNING"),
        "degraded": as_text(facet.get("degraded")),
        "control": [
            {word: as_text(one.get(word)) for word in ("namespace", "name", "kind")}
            for one in as_objects(facet.get("control"))
        ],
    }
