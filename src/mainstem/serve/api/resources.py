"""Jobs, runs and datasets in Marquez's shapes, joined from stored bytes; what is truer is added."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.api.rendered import FOR_EVER, LISTED, NODE, Piece
from mainstem.serve.model.columns import said_columns
from mainstem.serve.model.kind import marquez_type
from mainstem.serve.model.times import iso
from mainstem.serve.model.versions import uuid_of
from mainstem.serve.store.catalog import digest_of
from mainstem.serve.store.reading import (
    DatasetRow,
    JobRow,
    RunRow,
    dataset_rows,
    job_rows,
    latest_runs,
    run_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mainstem.names.dataset import DatasetName
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.view import Node
    from mainstem.serve.model.event import JobName
    from mainstem.sql.connection import Connection

NULL = b"null"


@lru_cache(maxsize=4096)
def instant(micros: int | None) -> bytes:
    """An instant as JSON."""
    return NULL if micros is None else b'"%b"' % iso(micros).encode()


def run_json(row: RunRow, job: JobName, now: int) -> bytes:
    """One run; ``stale`` if it promised a heartbeat and three are overdue."""
    started, ended = row.started, row.ended
    duration = None if started is None or ended is None else max(0, (ended - started) // 1000)
    stale = row.overdue_after is not None and row.overdue_after < now
    version = {"namespace": job.namespace, "name": job.name, "version": row.version}
    return (
        b'{"id":"%b","createdAt":%b,"updatedAt":%b,%b,"state":"%b","startedAt":%b,"endedAt":%b,'
        b'"durationMs":%b,"jobVersion":%b,"inputDatasetVersions":%b,"outputDatasetVersions":%b,'
        b'"facets":%b,"stale":%b}'
    ) % (
        row.id.encode(), instant(row.created), instant(row.updated), bytes(row.head),
        row.state.encode(), instant(started), instant(ended),
        NULL if duration is None else b"%d" % duration, orjson.dumps(version), bytes(row.inputs),
        bytes(row.outputs), bytes(row.facets), b"true" if stale else b"false",
    )  # fmt: skip


Around = tuple[list[int], list[int]]
"""The numbers of the nodes before and after a node that an answer shows, in the order of ids."""


class GraphIds(NamedTuple):
    """Node ids as JSON, by number."""

    jobs: dict[int, bytes]
    datasets: dict[int, bytes]


def graph_node(
    own: bytes, kind: bytes, data: bytes, before: Iterable[bytes], after: Iterable[bytes]
) -> bytes:
    """A node of Marquez's graphs; ids come as JSON, in order."""
    origins = (b',"destination":%b},{"origin":' % own).join(before)
    destinations = (b'},{"origin":%b,"destination":' % own).join(after)
    return b'{"id":%b,"type":"%b","data":%b,"inEdges":[%b],"outEdges":[%b]}' % (
        own, kind, data,
        b'{"origin":%b,"destination":%b}' % (origins, own) if origins else b"",
        b'{"origin":%b,"destination":%b}' % (own, destinations) if destinations else b"",
    )  # fmt: skip


def joined_graph(nodes: list[bytes]) -> bytes:
    """Marquez's graph of some nodes, copied but once: there may be megabytes."""
    if not nodes:
        return b'{"graph":[]}'
    parts = [b'{"graph":[' + nodes[0], *nodes[1:]]
    parts[-1] += b"]}"
    return b",".join(parts)


class Resources:
    """Renders by number, with one connection and one view of the graph."""

    def __init__(self, backend: Backend, connection: Connection) -> None:
        self._backend = backend
        self._rendered = backend.rendered
        self._epoch = backend.rendered.epoch
        self._connection = connection
        self._now = backend.now()
        self._names: dict[int, DatasetName] = {}
        self._ids: dict[int, bytes] = {}
        self.view = backend.view()
        self.identities = backend.identities

    def name_of(self, leader: int) -> DatasetName:
        """The canonical name of a dataset."""
        name = self._names.get(leader)
        if name is None:
            own = self._backend.catalog.dataset(leader)
            name = self._names[leader] = self.identities.shown_name(leader, own)
        return name

    def _id_list(self, leaders: Iterable[int]) -> bytes:
        """Marquez's dataset ids, each written once per answer."""
        known = self._ids
        return b"[%b]" % b",".join([known.get(one) or self._id(one) for one in leaders])

    def _id(self, leader: int) -> bytes:
        name = self.name_of(leader)
        plain = {"namespace": name.namespace, "name": name.name}
        written = self._ids[leader] = orjson.dumps(plain)
        return written

    def run(self, row: RunRow) -> bytes:
        """One run."""
        return run_json(row, self._backend.catalog.job(row.job_id), self._now)

    def jobs(self, numbers: Sequence[int]) -> list[bytes]:
        """Jobs in the order asked for, with their latest runs."""
        known = {one: self._rendered.get(LISTED, (True, one), None, self._now) for one in numbers}
        unknown = [one for one, json in known.items() if json is None]
        fresh: list[tuple[Node, Piece]] = []
        latest = latest_runs(self._connection, unknown)
        for number, row in job_rows(self._connection, unknown, whole=True).items():
            runs = latest[number]
            json = known[number] = self._job(row, runs)
            fresh.append(((True, number), Piece(json, None, self._until(runs))))
        self._rendered.keep(self._epoch, LISTED, fresh)
        return [json for json in known.values() if json is not None]

    def graph_nodes(
        self, jobs: dict[int, Around], datasets: dict[int, Around], ids: GraphIds
    ) -> list[bytes]:
        """Nodes of Marquez's lineage graph with their edges, in the order asked for."""
        known = self._known_nodes(jobs, is_job=True)
        fresh: list[tuple[Node, Piece]] = []
        rows = job_rows(self._connection, [one for one, json in known.items() if json is None])
        latest = [row.latest_run for row in rows.values() if row.latest_run is not None]
        runs = run_rows(self._connection, latest)
        for number, row in rows.items():
            run = runs.get(row.latest_run or "")
            data = b"{%b,%b}" % (self._job_head(row), self._node_tail(row, run))
            before, after = (map(ids.datasets.__getitem__, side) for side in jobs[number])
            json = known[number] = graph_node(ids.jobs[number], b"JOB", data, before, after)
            until = self._until([run] if run else [])
            fresh.append(((True, number), Piece(json, jobs[number], until)))
        shown = self._known_nodes(datasets, is_job=False)
        unknown = [one for one, json in shown.items() if json is None]
        for leader, row in self.rows_of(unknown).items():
            data = b"{%b}" % self._dataset_head(leader, row)
            before, after = (map(ids.jobs.__getitem__, side) for side in datasets[leader])
            json = graph_node(ids.datasets[leader], b"DATASET", data, before, after)
            shown[leader] = json
            fresh.append(((False, leader), Piece(json, datasets[leader], FOR_EVER)))
        self._rendered.keep(self._epoch, NODE, fresh)
        return [json for json in chain(shown.values(), known.values()) if json is not None]

    def _known_nodes(self, asked: dict[int, Around], *, is_job: bool) -> dict[int, bytes | None]:
        get, now = self._rendered.get, self._now
        return {one: get(NODE, (is_job, one), around, now) for one, around in asked.items()}

    def graph_ids(self, jobs: Iterable[int], leaders: Iterable[int]) -> GraphIds:
        """The node ids of some jobs and datasets."""
        named = ((job, self._backend.catalog.job(job)) for job in jobs)
        shown = ((leader, self.name_of(leader)) for leader in leaders)
        return GraphIds(
            {one: orjson.dumps(str(NodeId(NodeKind.JOB, name))) for one, name in named},
            {
                one: orjson.dumps(str(NodeId(NodeKind.DATASET, (name.namespace, name.name))))
                for one, name in shown
            },
        )

    def _until(self, runs: Iterable[RunRow]) -> int:
        """The instant from which one of some runs is stale that is not yet."""
        overdue = [
            run.overdue_after
            for run in runs
            if run.overdue_after is not None and run.overdue_after >= self._now
        ]
        return min(overdue, default=FOR_EVER)

    def datasets(self, leaders: Sequence[int]) -> list[bytes]:
        """Datasets in the order asked for, each merged from all its names."""
        merged = self.rows_of(leaders, whole=True)
        return [self._dataset(leader, merged[leader]) for leader in leaders if leader in merged]

    def names(self, leaders: Iterable[int]) -> list[dict[str, str]]:
        """Marquez's dataset ids."""
        named = map(self.name_of, leaders)
        return [{"namespace": one.namespace, "name": one.name} for one in named]

    def _runs(self, runs: list[RunRow]) -> bytes:
        if not runs:
            return b'"latestRun":null,"latestRuns":null'
        rendered = [self.run(one) for one in runs]
        return b'"latestRun":%b,"latestRuns":[%b]' % (rendered[0], b",".join(rendered))

    def _node_tail(self, row: JobRow, run: RunRow | None) -> bytes:
        current = NULL if row.latest_run is None else orjson.dumps(row.latest_run)
        latest = NULL if run is None else self.run(run)
        return b'"currentRunUuid":%b,"latestRun":%b' % (current, latest)

    def _job_head(self, row: JobRow) -> bytes:
        name = self._backend.catalog.job(row.id)
        kind, location, description, _, _, owners, parent = orjson.loads(row.head)
        simple = name.name
        if parent is not None and simple.startswith(parent[1] + "."):
            simple = simple[len(parent[1]) + 1 :]
        said: dict[str, Any] = {
            "id": {"namespace": name.namespace, "name": name.name},
            "type": kind,
            "name": name.name,
            "simpleName": simple,
            "parentJobName": None if parent is None else parent[1],
            "parentJobUuid": None if parent is None else uuid_of("job", *parent),
            "createdAt": iso(row.created),
            "updatedAt": iso(row.updated),
            "namespace": name.namespace,
            "location": location,
            "description": description,
            "owners": owners,
        }
        return b'%b,"inputs":%b,"outputs":%b' % (
            orjson.dumps(said)[1:-1],
            self._id_list(self.view.inputs(row.id)),
            self._id_list(self.view.outputs(row.id)),
        )

    def _job(self, row: JobRow, runs: list[RunRow]) -> bytes:
        name = self._backend.catalog.job(row.id)
        head = orjson.loads(row.head)
        tags = head[4]
        if self._backend.taggings:
            given = self._backend.taggings.get(("job", digest_of(*name)), {}).get("", [])
            tags = list(dict.fromkeys([*tags, *given]))
        inputs = [[one.namespace, one.name] for one in map(self.name_of, self.view.inputs(row.id))]
        outputs = [
            [one.namespace, one.name] for one in map(self.name_of, self.view.outputs(row.id))
        ]
        version = uuid_of("job", *name, sorted(inputs), sorted(outputs), head[1] or "")
        return b'{%b,%b,"facets":%b,"currentVersion":"%b","labels":%b,"tags":%b}' % (
            self._job_head(row), self._runs(runs), bytes(row.facets), version.encode(),
            orjson.dumps(head[3]), orjson.dumps(tags),
        )  # fmt: skip

    def rows_of(self, leaders: Iterable[int], *, whole: bool = False) -> dict[int, DatasetRow]:
        """Datasets as rows, each merged from all its names; with their facets if wanted whole."""
        members = {leader: self.identities.members(leader) for leader in leaders}
        groups = {leader: group for leader, group in members.items() if len(group) > 1}
        alone = [one for one in members if one not in groups]
        found = dataset_rows(self._connection, alone, whole=whole)
        together = [one for group in groups.values() for one in group]
        # Whose word stands in a group, the fold tells.
        rows = dataset_rows(self._connection, together, whole=True)
        for leader, group in groups.items():
            present = [rows[one] for one in group if one in rows]
            if present:
                found[leader] = merge_rows(present)
        return found

    def _dataset_head(self, leader: int, row: DatasetRow) -> bytes:
        name = self.name_of(leader)
        kind, source, lifecycle, description, tags, owners = orjson.loads(row.head)
        given = self._given(leader)
        said: dict[str, Any] = {
            "id": {"namespace": name.namespace, "name": name.name},
            "type": marquez_type(kind),
            "kind": kind,
            "name": name.name,
            "physicalName": name.name,
            "createdAt": iso(row.created),
            "updatedAt": iso(row.updated),
            "namespace": name.namespace,
            "sourceName": source,
            "tags": list(dict.fromkeys([*tags, *given.get("", [])])),
            "lastModifiedAt": None if row.written is None else iso(row.written),
            "lastLifecycleState": lifecycle,
            "description": description,
            "owners": owners,
        }
        return orjson.dumps(said)[1:-1] + b',"fields":' + _fields(row, given)

    def tags(self, leader: int, row: DatasetRow) -> list[str]:
        """What events and users tag a dataset with."""
        return list(dict.fromkeys([*orjson.loads(row.head)[4], *self._given(leader).get("", [])]))

    def _given(self, leader: int) -> dict[str, list[str]]:
        if not self._backend.taggings:
            return {}
        given: dict[str, list[str]] = {}
        for member in self.identities.members(leader):
            name = self._backend.catalog.dataset(member)
            place = ("dataset", digest_of(name.namespace, name.name))
            for field, tags in self._backend.taggings.get(place, {}).items():
                given.setdefault(field, []).extend(tags)
        return given

    def _dataset(self, leader: int, row: DatasetRow) -> bytes:
        others = self.identities.members(leader)
        known = [self._backend.catalog.dataset(one) for one in others] if len(others) > 1 else []
        shown = self.name_of(leader)
        aliases = [{"namespace": one.namespace, "name": one.name} for one in known if one != shown]
        facets = bytes(row.facets)
        version = NULL if row.version is None else orjson.dumps(row.version)
        shape = (
            b'{%b,"currentVersion":%b,"columnLineage":%b,"facets":%b,"aliases":%b,"deleted":false}'
        )
        return shape % (
            self._dataset_head(leader, row), version, column_lineage_json(facets), facets,
            orjson.dumps(aliases),
        )  # fmt: skip


def _fields(row: DatasetRow, given: dict[str, list[str]]) -> bytes:
    """The fields with the tags that users gave them."""
    if not any(given):
        return bytes(row.fields)
    fields = orjson.loads(row.fields)
    for field in fields:
        field["tags"] = [*field["tags"], *given.get(field["name"], [])]
    return orjson.dumps(fields)


def merge_rows(rows: list[DatasetRow]) -> DatasetRow:
    """One dataset that goes by several names: the latest of each facet, the strongest schema."""
    folds = [orjson.loads(row.fold) for row in rows]
    strongest = max(range(len(rows)), key=lambda at: folds[at]["schema_key"])
    newest = max(rows, key=lambda row: row.updated)
    facets: dict[str, Any] = {}
    keys: dict[str, str] = {}
    for row, fold in zip(rows, folds, strict=True):
        for name, value in orjson.loads(row.facets).items():
            key = fold["keys"].get(name, "")
            if name not in keys or key > keys[name]:
                facets[name], keys[name] = value, key
    written = [row.written for row in rows if row.written is not None]
    return newest._replace(
        created=min(row.created for row in rows),
        written=max(written, default=None),
        version=rows[strongest].version,
        fields=rows[strongest].fields,
        facets=orjson.dumps(facets, option=orjson.OPT_SORT_KEYS),
        head=rows[strongest].head,
    )


def column_lineage_json(facets: bytes) -> bytes:
    """Marquez's ``columnLineage`` of a dataset, from its facets."""
    if b'"columnLineage"' not in facets:
        return NULL
    columns = said_columns(orjson.loads(facets))
    if columns is None:
        return NULL
    shown: list[dict[str, Any]] = []
    for name, said in columns["fields"].items():
        words = {
            "transformationDescription": said.get("transformationDescription"),
            "transformationType": said.get("transformationType"),
        }
        inputs = [
            {
                "namespace": one["namespace"], "dataset": one["name"], "field": one["field"],
                **words, "transformations": one.get("transformations", []),
            }
            for one in said["inputFields"]
        ]  # fmt: skip
        shown.append({"name": name, "inputFields": inputs, **words})
    return orjson.dumps(shown)
