"""The whole estate in one answer, joined from what is stored; made for ``mainstem doctor``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from msgspec import Struct
from msgspec.json import Decoder

from mainstem.names.dataset import DatasetName
from mainstem.said.json_values import as_object, as_objects, as_text, as_texts
from mainstem.said.schema import shown_fields
from mainstem.said.times import SECOND, iso
from mainstem.serve.api.nodes import connector_facet
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.spelling import spell
from mainstem.serve.model.run import MISSED_HEARTBEATS
from mainstem.serve.store import decisions
from mainstem.serve.store.datasets import load_column_facets
from mainstem.serve.store.estate import every_column_digest, every_job, former_schemas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.store.estate import EstateJob
    from mainstem.sql.connection import Connection

_AT_ONCE = 2000
_PATH = "."


class _Source(Struct):
    namespace: str
    name: str
    field: str


class _Field(Struct, rename="camel"):
    input_fields: list[_Source]


class _Facet(Struct):
    """Of column lineage in the shape of ``model.columns``, what is made from what alone."""

    fields: dict[str, _Field]
    dataset: list[_Source]


_FACETS = Decoder(_Facet)


class _Columns(NamedTuple):
    """What a job's column lineage speaks of."""

    made: set[int]
    read: dict[int, set[str]]


def estate_json(backend: Backend) -> bytes:
    """Every dataset and every job with its latest run; jobs name datasets by their places."""
    with backend.read() as connection:
        estate = _Estate(backend, connection)
        return b"".join(
            (
                b'{"madeAt":"', iso(backend.now()).encode(),
                b'","datasets":[', b",".join(estate.datasets()),
                b'],"jobs":[', b",".join(estate.jobs()),
                b'],', *_choices(connection),
                b"}",
            )
        )  # fmt: skip


def _choices(connection: Connection) -> Iterator[bytes]:
    told: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    for one in decisions.alias_choices(connection):
        told[one.accepted].append(
            {
                "namespace": one.namespace, "name": one.name,
                "otherNamespace": one.other_namespace, "otherName": one.other_name,
                "origin": "user",
            }
        )  # fmt: skip
    yield b'"aliases":%b,"rejected":%b' % (orjson.dumps(told[True]), orjson.dumps(told[False]))


class _Estate:
    """One reading of the whole store."""

    def __init__(self, backend: Backend, connection: Connection) -> None:
        self._backend = backend
        self._connection = connection
        self._resources = Resources(backend, connection)
        identities = self._resources.identities
        leaders = [
            number
            for number in backend.catalog.datasets.values()
            if identities.leader(number) == number and not backend.is_hidden((False, number))
        ]
        self._rows = self._resources.rows_of(leaders)
        self._places = {leader: place for place, leader in enumerate(self._rows)}

    def datasets(self) -> Iterator[bytes]:
        """Datasets, each with every other name it is known by."""
        others = self._other_names()
        former = self._former_columns()
        for leader, row in self._rows.items():
            name = self._resources.name_of(leader)
            spelled = spell(name.namespace, name.name)
            known = [one._asdict() for one in sorted(others.get(leader, ())) if one != name]
            yield b"".join(
                (
                    b'{"namespace":', spelled.namespace, b',"name":', spelled.name,
                    b',"kind":', orjson.dumps(orjson.loads(row.head)[0]),
                    b',"aliases":', orjson.dumps(known),
                    b',"fields":', row.fields,
                    b',"formerColumns":', orjson.dumps(sorted(former.get(leader, ()))),
                    b"}",
                )
            )  # fmt: skip

    def _other_names(self) -> dict[int, set[DatasetName]]:
        catalog, identities = self._backend.catalog, self._resources.identities
        known: dict[int, set[DatasetName]] = {}
        for leader in self._rows:
            members = identities.members(leader)
            if len(members) > 1 or identities.shown_name(leader, catalog.dataset(leader)) != (
                catalog.dataset(leader)
            ):
                known[leader] = {catalog.dataset(one) for one in members}
        for pair in self._backend.aliases.datasets:
            leader = identities.find(pair[0], catalog.datasets)
            if leader is not None:
                known.setdefault(leader, set()).update(pair)
        return known

    def _former_columns(self) -> dict[int, set[str]]:
        """Columns that the voice which tells a schema now once wrote, and does not any more."""
        former: dict[int, set[str]] = {}
        for dataset, facets in former_schemas(self._connection):
            leader = self._resources.identities.leader(dataset)
            fields = shown_fields(as_object(orjson.loads(facets)))
            former.setdefault(leader, set()).update(_paths(fields))
        for leader, columns in former.items():
            if leader in self._rows:
                columns -= set(_paths(orjson.loads(self._rows[leader].fields)))
        return former

    def jobs(self) -> Iterator[bytes]:
        """Jobs, each with what it reads and writes now and its latest run."""
        columns = self._columns()
        for job in every_job(self._connection):
            if not self._backend.is_hidden((True, job.id)):
                yield orjson.dumps(self._job(job, columns.get(job.id) or _Columns(set(), {})))

    def _job(self, job: EstateJob, columns: _Columns) -> dict[str, Any]:
        name = self._backend.catalog.job(job.id)
        view, places = self._resources.view, self._places
        processing, _, _, labels, _, _, parent = orjson.loads(job.head)
        pairs = view.pairs(job.id)
        facet = connector_facet(job.facets or b"")
        return {
            "namespace": name.namespace,
            "name": name.name,
            "integration": labels[-1] if labels else None,
            "type": labels[0] if len(labels) > 1 else None,
            "streaming": processing == "STREAM",
            "parent": None if parent is None else {"namespace": parent[0], "name": parent[1]},
            **self._run(job),
            "inputs": self._listed(view.inputs(job.id)),
            "outputs": self._listed(view.outputs(job.id)),
            "pairs": None
            if pairs is None
            else sorted([places[a], places[b]] for a, b in pairs if a in places and b in places),
            "evidence": self._evidence(facet),
            "connectorClass": as_text(facet.get("connectorClass")),
            "unresolved": as_texts(facet.get("unresolved")),
            "columnsMade": sorted(places[one] for one in columns.made if one in places),
            "columnsRead": [
                {"dataset": places[one], "columns": sorted(read)}
                for one, read in sorted(columns.read.items())
                if one in places
            ],
        }

    def _run(self, job: EstateJob) -> dict[str, Any]:
        late, told = job.overdue_after, job.told
        promised = None if late is None or told is None else (late - told) / MISSED_HEARTBEATS
        return {
            "state": job.state,
            "stale": late is not None and late < self._backend.now(),
            "heartbeatSeconds": None if promised is None else promised / SECOND,
            "beganAt": None if job.began is None else iso(job.began),
            "toldAt": None if told is None else iso(told),
        }

    def _listed(self, leaders: tuple[int, ...]) -> list[int]:
        return [self._places[one] for one in leaders if one in self._places]

    def _evidence(self, facet: dict[str, Any]) -> list[dict[str, Any]]:
        """How a watcher knows what a connector touches, the word of its first edge each."""
        known: dict[int, str] = {}
        for edge in as_objects(facet.get("edges")):
            for side in ("input", "output"):
                said = as_object(edge.get(side))
                leader = self._find(str(said.get("namespace")), str(said.get("name")))
                if leader is not None and leader in self._places:
                    known.setdefault(self._places[leader], str(edge.get("evidence")))
        return [{"dataset": place, "evidence": word} for place, word in sorted(known.items())]

    def _columns(self) -> dict[int, _Columns]:
        """By job, which outputs it told the columns of, and which columns they are made from."""
        reach = self._backend.index.reach
        told: dict[str, list[tuple[int, int]]] = {}
        for job, dataset, digest in every_column_digest(self._connection):
            if job and dataset in reach(job).outputs:
                told.setdefault(digest, []).append((job, dataset))
        found: dict[int, _Columns] = {}
        rest = iter(told)
        while digests := list(islice(rest, _AT_ONCE)):
            for digest, facet in load_column_facets(self._connection, digests).items():
                read = self._sources(_FACETS.decode(facet))
                for job, dataset in told[digest]:
                    known = found.setdefault(job, _Columns(set(), {}))
                    known.made.add(self._resources.identities.leader(dataset))
                    for leader, columns in read.items():
                        known.read.setdefault(leader, set()).update(columns)
        return found

    def _sources(self, facet: _Facet) -> dict[int, set[str]]:
        read: dict[int, set[str]] = {}
        leaders: dict[tuple[str, str], int | None] = {}
        for sources in (facet.dataset, *(one.input_fields for one in facet.fields.values())):
            for one in sources:
                name = (one.namespace, one.name)
                if name not in leaders:
                    leaders[name] = self._find(*name)
                leader = leaders[name]
                if leader is not None and one.field:
                    read.setdefault(leader, set()).add(one.field)
        return read

    def _find(self, namespace: str, name: str) -> int | None:
        return self._resources.identities.find(
            DatasetName(namespace, name), self._backend.catalog.datasets
        )


def _paths(fields: list[dict[str, Any]], above: str = "") -> Iterator[str]:
    """The path of each field, and of each field below it."""
    for one in fields:
        path = f"{above}{one['name']}"
        yield path
        yield from _paths(as_objects(one.get("fields")), f"{path}{_PATH}")
