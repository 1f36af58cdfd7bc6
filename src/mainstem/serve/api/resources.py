"""Jobs, runs and datasets in Marquez's shapes, from rows and the graph; what is truer is added."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.node_id import NodeKind
from mainstem.said.json_values import brief_json
from mainstem.said.versions import job_version
from mainstem.serve.api.rendered import FOR_EVER, LISTED, NODE, Piece
from mainstem.serve.api.spelling import (
    NULL,
    column_lineage_json,
    dataset_parts,
    dataset_words,
    graph_node,
    job_parts,
    job_words,
    merged_tags,
    node_id,
    run_parts,
    spell,
)
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
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.view import Node, Numbers
    from mainstem.sql.connection import Connection

Around = tuple[Sequence[bytes], Sequence[bytes]]
"""The ids of the nodes before and after a node that an answer shows, in order."""


class GraphIds(NamedTuple):
    """Node ids as JSON, by number."""

    jobs: dict[int, bytes]
    datasets: dict[int, bytes]


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
        self._id_lists: dict[Numbers, bytes] = {}
        self.view = backend.view()
        self.identities = backend.identities

    def name_of(self, leader: int) -> DatasetName:
        """The canonical name of a dataset."""
        name = self._names.get(leader)
        if name is None:
            own = self._backend.catalog.dataset(leader)
            name = self._names[leader] = self.identities.shown_name(leader, own)
        return name

    def _id_list(self, leaders: Numbers) -> bytes:
        """Marquez's dataset ids, each written once per answer, as a list that jobs may share."""
        written = self._id_lists.get(leaders)
        if written is None:
            known = self._ids
            ids = b",".join([known.get(one) or self._id(one) for one in leaders])
            written = self._id_lists[leaders] = b"[%b]" % ids
        return written

    def _id(self, leader: int) -> bytes:
        name = self.name_of(leader)
        written = self._ids[leader] = spell(name.namespace, name.name).id
        return written

    def run(self, row: RunRow) -> bytes:
        """One run."""
        return b"".join(self._run(row))

    def _run(self, row: RunRow) -> Sequence[bytes]:
        return run_parts(row, spell(*self._backend.catalog.job(row.job_id)), self._now)

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
            data = (*self._job_parts(row), *self._node_tail(row, run))
            json = known[number] = graph_node(ids.jobs[number], b"JOB", data, *jobs[number])
            until = self._until([run] if run else [])
            fresh.append(((True, number), Piece(json, jobs[number], until)))
        shown = self._known_nodes(datasets, is_job=False)
        unknown = [one for one, json in shown.items() if json is None]
        for leader, row in self.rows_of(unknown).items():
            data = self._dataset_parts(leader, row)
            json = graph_node(ids.datasets[leader], b"DATASET", data, *datasets[leader])
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
            {one: node_id(NodeKind.JOB, *name) for one, name in named},
            {one: node_id(NodeKind.DATASET, name.namespace, name.name) for one, name in shown},
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

    def _runs(self, runs: list[RunRow]) -> Sequence[bytes]:
        if not runs:
            return (b'"latestRun":null,"latestRuns":null',)
        job = spell(*self._backend.catalog.job(runs[0].job_id))
        first, *others = (run_parts(one, job, self._now) for one in runs)
        rest = chain.from_iterable((b",", *one) for one in others)
        return b'"latestRun":', *first, b',"latestRuns":[', *first, *rest, b"]"

    def _node_tail(self, row: JobRow, run: RunRow | None) -> Sequence[bytes]:
        current = NULL if row.latest_run is None else brief_json(row.latest_run)
        latest = (NULL,) if run is None else self._run(run)
        return b',"currentRunUuid":', current, b',"latestRun":', *latest

    def _job_parts(self, row: JobRow) -> Sequence[bytes]:
        return job_parts(
            row,
            job_words(row.head),
            self._backend.catalog.job(row.id),
            self._id_list(self.view.inputs(row.id)),
            self._id_list(self.view.outputs(row.id)),
        )

    def _job(self, row: JobRow, runs: list[RunRow]) -> bytes:
        name = self._backend.catalog.job(row.id)
        words = job_words(row.head)
        sides = (map(self.name_of, of(row.id)) for of in (self.view.inputs, self.view.outputs))
        inputs, outputs = ([(one.namespace, one.name) for one in side] for side in sides)
        version = job_version(*name, inputs, outputs, words.location or "")
        return b"".join(
            (
                b"{", *self._job_parts(row),
                b",", *self._runs(runs),
                b',"facets":', row.facets,
                b',"currentVersion":"', version.encode(),
                b'","labels":', words.labels,
                b',"tags":', brief_json(self.job_tags(row)),
                b"}",
            )
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

    def _dataset_parts(self, leader: int, row: DatasetRow) -> Sequence[bytes]:
        name = self.name_of(leader)
        return dataset_parts(row, spell(name.namespace, name.name), self.given_tags(leader))

    def tags(self, leader: int, row: DatasetRow) -> list[str]:
        """What events and users tag a dataset with."""
        return merged_tags(dataset_words(row.head).tags, self.given_tags(leader))

    def job_tags(self, row: JobRow) -> list[str]:
        """What events and users tag a job with."""
        said, given = job_words(row.head).tags, self._backend.taggings
        if not given:
            return said
        name = self._backend.catalog.job(row.id)
        return merged_tags(said, given.get(("job", digest_of(*name)), {}))

    def given_tags(self, leader: int) -> dict[str, list[str]]:
        """The tags that users gave to a dataset (under "") and to its fields."""
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
        return b"".join(
            (
                b"{", *self._dataset_parts(leader, row),
                b',"currentVersion":', NULL if row.version is None else brief_json(row.version),
                b',"columnLineage":', column_lineage_json(row.facets),
                b',"facets":', row.facets,
                b',"aliases":', brief_json(aliases),
                b',"deleted":false}',
            )
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
