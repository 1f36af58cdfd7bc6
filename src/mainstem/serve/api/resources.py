"""Jobs, runs and datasets in Marquez's shapes, joined from stored bytes; what is truer is added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from mainstem.serve.api.rendered import FOR_EVER, LISTED, NODE, Piece
from mainstem.serve.model.columns import said_columns
from mainstem.serve.model.kind import marquez_type
from mainstem.serve.model.times import iso
from mainstem.serve.model.versions import uuid_of
from mainstem.serve.store.catalog import digest_of
from mainstem.serve.store.reading import (
    LATEST_RUNS,
    DatasetRow,
    JobRow,
    RunRow,
    dataset_rows,
    job_rows,
    run_rows,
    runs_of_job,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mainstem.names.dataset import DatasetName
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.view import Node
    from mainstem.serve.model.event import JobName
    from mainstem.sql.connection import Connection

NULL = b"null"


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


Around = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the nodes before and after a node that an answer shows."""


def _graph_node(ids: dict[Node, bytes], node: Node, data: bytes, around: Around) -> bytes:
    own, is_job = ids[node], node[0]
    before, after = (sorted(ids[not is_job, one] for one in side) for side in around)
    return b'{"id":%b,"type":"%b","data":%b,"inEdges":[%b],"outEdges":[%b]}' % (
        own, b"JOB" if is_job else b"DATASET", data,
        b",".join([b'{"origin":%b,"destination":%b}' % (one, own) for one in before]),
        b",".join([b'{"origin":%b,"destination":%b}' % (own, one) for one in after]),
    )  # fmt: skip


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
        return b"[%b]" % b",".join(map(self._id, leaders))

    def _id(self, leader: int) -> bytes:
        written = self._ids.get(leader)
        if written is None:
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
        rows = job_rows(self._connection, [one for one, json in known.items() if json is None])
        for number, row in rows.items():
            runs = runs_of_job(self._connection, number, LATEST_RUNS, 0)
            known[number] = self._job(row, runs)
            self._keep(LISTED, (True, number), known[number] or b"", None, runs)
        return [json for json in known.values() if json is not None]

    def graph_nodes(
        self, jobs: dict[int, Around], datasets: dict[int, Around], ids: dict[Node, bytes]
    ) -> list[bytes]:
        """Nodes of Marquez's lineage graph with their edges, by id."""
        asked = {(True, number): around for number, around in jobs.items()}
        asked |= {(False, number): around for number, around in datasets.items()}
        known = {
            node: self._rendered.get(NODE, node, around, self._now)
            for node, around in asked.items()
        }
        unknown = [node for node, json in known.items() if json is None]
        rows = job_rows(self._connection, [number for is_job, number in unknown if is_job])
        latest = [row.latest_run for row in rows.values() if row.latest_run is not None]
        runs = run_rows(self._connection, latest)
        for number, row in rows.items():
            node, run = (True, number), runs.get(row.latest_run or "")
            data = b"{%b,%b}" % (self._job_head(row), self._node_tail(row, run))
            known[node] = _graph_node(ids, node, data, asked[node])
            self._keep(NODE, node, known[node] or b"", asked[node], [run] if run else [])
        for leader, row in self._merged([one for is_job, one in unknown if not is_job]).items():
            node = (False, leader)
            data = b"{%b}" % self._dataset_head(leader, row)
            known[node] = _graph_node(ids, node, data, asked[node])
            self._keep(NODE, node, known[node] or b"", asked[node], [])
        return [json for node in sorted(known, key=ids.__getitem__) if (json := known[node])]

    def _keep(
        self, form: str, node: Node, json: bytes, made_of: object, runs: Iterable[RunRow]
    ) -> None:
        overdue = [
            run.overdue_after
            for run in runs
            if run.overdue_after is not None and run.overdue_after >= self._now
        ]
        piece = Piece(json, made_of, min(overdue, default=FOR_EVER))
        self._rendered.keep(self._epoch, form, node, piece)

    def datasets(self, leaders: Sequence[int]) -> list[bytes]:
        """Datasets in the order asked for, each merged from all its names."""
        merged = self._merged(leaders)
        return [self._dataset(leader, merged[leader]) for leader in leaders if leader in merged]

    def rows_of(self, leaders: Iterable[int]) -> dict[int, DatasetRow]:
        """Datasets as rows, each merged from all its names."""
        return self._merged(list(leaders))

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
        given = self._backend.taggings.get(("job", digest_of(*name)), {}).get("", [])
        tags = list(dict.fromkeys([*head[4], *given]))
        inputs = [[one.namespace, one.name] for one in map(self.name_of, self.view.inputs(row.id))]
        outputs = [
            [one.namespace, one.name] for one in map(self.name_of, self.view.outputs(row.id))
        ]
        version = uuid_of("job", *name, sorted(inputs), sorted(outputs), head[1] or "")
        return b'{%b,%b,"facets":%b,"currentVersion":"%b","labels":%b,"tags":%b}' % (
            self._job_head(row), self._runs(runs), bytes(row.facets), version.encode(),
            orjson.dumps(head[3]), orjson.dumps(tags),
        )  # fmt: skip

    def _merged(self, leaders: Sequence[int]) -> dict[int, DatasetRow]:
        members = {leader: self.identities.members(leader) for leader in leaders}
        rows = dataset_rows(self._connection, [one for group in members.values() for one in group])
        merged: dict[int, DatasetRow] = {}
        for leader, group in members.items():
            present = [rows[one] for one in group if one in rows]
            if present:
                merged[leader] = present[0] if len(present) == 1 else merge_rows(present)
        return merged

    def _dataset_head(self, leader: int, row: DatasetRow) -> bytes:
        name = self.name_of(leader)
        kind, source, lifecycle, description, _, owners = orjson.loads(row.head)
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
            "tags": self.tags(leader, row),
            "lastModifiedAt": None if row.written is None else iso(row.written),
            "lastLifecycleState": lifecycle,
            "description": description,
            "owners": owners,
        }
        return orjson.dumps(said)[1:-1] + b',"fields":' + self._fields(leader, row)

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

    def _fields(self, leader: int, row: DatasetRow) -> bytes:
        given = self._given(leader)
        if not any(given):
            return bytes(row.fields)
        fields = orjson.loads(row.fields)
        for field in fields:
            field["tags"] = [*field["tags"], *given.get(field["name"], [])]
        return orjson.dumps(fields)

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
