"""What an event says of its job and datasets, known by its contents and told once."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from msgspec import Struct, field

from mainstem.names.dataset import DatasetName
from mainstem.said.columns import columns_of_entry, said_columns, source_datasets
from mainstem.said.datasets import (
    DatasetSaid,
    is_registered,
    lifecycle_state,
    symlinks,
    understand,
)
from mainstem.said.event import JobName, Mention
from mainstem.said.jobs import description, location, owners, processing_type, tags_said
from mainstem.said.json_values import Json, as_object, as_objects, as_text
from mainstem.said.kind import dataset_kind
from mainstem.said.pairs import entries, implied_datasets, said_pairs, target
from mainstem.said.schema import read_schema, said_fields

if TYPE_CHECKING:
    from collections.abc import Callable

NOTHING = 0
"""The id of contents that say nothing."""

NOTHING_SAID = DatasetSaid(b"{}")
SINGLE_FACETS = (
    "dataSource", "documentation", "lifecycleStateChange", "datasetType", "symlinks", "ownership",
    "tags",
)  # fmt: skip
"""Facets of a dataset that stand in columns of their own."""

SORTED = orjson.OPT_SORT_KEYS
Row = tuple[Any, ...]


def id_of(*parts: Any) -> int:
    """A 64-bit id of some JSON values, never nought."""
    digest = hashlib.blake2b(orjson.dumps(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1


class Understood(NamedTuple):
    """What facets say of a dataset, as far as its contents need it."""

    said_id: int
    lineage: DatasetSaid
    """What tells pairs."""

    sources: tuple[int, ...] = ()
    """Names of datasets that columns are made from."""

    columns_id: int | None = None
    """Hash of what is told of columns; None if nothing is."""


NOT_A_WORD = Understood(NOTHING, NOTHING_SAID)


class Told(Struct):
    """Rows that were told for the first time since they were last taken."""

    contents: list[Row] = field(default_factory=list[Row])
    shapes: list[Row] = field(default_factory=list[Row])
    said: list[Row] = field(default_factory=list[Row])
    names: list[Row] = field(default_factory=list[Row])
    spellings: list[Row] = field(default_factory=list[Row])


class Contents:
    """Gives contents their ids; each of them is in ``told`` once."""

    def __init__(self) -> None:
        self.told = Told()
        self._names: dict[tuple[str, str], int] = {}
        self._said: dict[str, Understood] = {}
        self._told_ids: set[int] = set()

    def name(self, namespace: str, name: str) -> int:
        """The id of a dataset's name."""
        known = self._names.get((namespace, name))
        if known is None:
            known = self._names[namespace, name] = id_of(namespace, name)
            self.told.names.append((known, namespace, name, dataset_kind(namespace, {})))
        return known

    def of_event(
        self, job: Json | None, inputs: list[Json], outputs: list[Json]
    ) -> tuple[int, int, bool]:
        """The ids of what an event says and of its shape; whether it names any dataset.

        Input and output facets do not count.
        """
        sides = (None,) if job is None else (False, True)
        mentions: list[Mention] = []
        listed: list[tuple[int, bool | None, int]] = []
        telling: list[tuple[int, int, Understood]] = []
        for written, datasets in zip(sides, (inputs, outputs), strict=False):
            for one in datasets:
                name = DatasetName(one["namespace"], one["name"])
                said = self._understand(name, one.get("facets") or {})
                mentions.append(Mention(name, written, {}, said.lineage))
                listed.append((self.name(*name), written, said.said_id))
                if written is not False:
                    telling.append((self.name(*name), 0, said))
        facets: Json = {} if job is None else job.get("facets") or {}
        pairs: list[tuple[int, int]] | None = None
        columns: list[tuple[int, int]] = []
        if job is not None:
            listed += self._implied(job, facets, mentions)
            told = said_pairs(facets, tuple(mentions))
            if told is not None:
                pairs = [(self.name(*source), self.name(*output)) for source, output in told]
            by_job = self._columns(facets)
            columns = [(name_id, said.said_id) for name_id, said in by_job]
            telling += [(name_id, 1, said) for name_id, said in by_job]
        row = (listed, columns, _job_facets(facets))
        content = self._tell(self.told.contents, row, _of_columns(telling))
        if job is None:
            return content, NOTHING, bool(listed)
        sides = sorted({(name, bool(written)) for name, written, _ in listed})
        shape = (sides, pairs if pairs is None else sorted(set(pairs)))
        return content, self._tell(self.told.shapes, shape), bool(listed)

    def _tell(self, told: list[Row], row: Row, derived: Row = ()) -> int:
        number = id_of(*row)
        if number not in self._told_ids:
            self._told_ids.add(number)
            told.append((number, *row, *derived))
        return number

    def _implied(
        self, job: Json, facets: Json, mentions: list[Mention]
    ) -> list[tuple[int, bool | None, int]]:
        if "lineage" not in facets:
            return []
        known = {(one.dataset, one.written) for one in mentions}
        implied = implied_datasets(facets, JobName(job["namespace"], job["name"]))
        return [
            (self.name(*dataset), written, NOTHING) for dataset, written in sorted(implied - known)
        ]

    def _columns(self, facets: Json) -> list[tuple[int, Understood]]:
        """What a job's lineage facet tells of columns, as facets of each output."""
        found: list[tuple[int, Understood]] = []
        for entry in entries(facets):
            name = target(entry)
            if name is not None and columns_of_entry(entry) is not None:
                found.append((self.name(*name), self._understand(name, {"lineage": entry})))
        return found

    def _understand(self, name: DatasetName, facets: Json) -> Understood:
        if not facets:
            return NOT_A_WORD
        print_of_it = fingerprint(*name, facets)
        known = self._said.get(print_of_it)
        if known is None:
            known = self._said[print_of_it] = self._read(name, facets)
        return known

    def _read(self, name: DatasetName, facets: Json) -> Understood:
        # Pairs are told by explicit lineage; the rest need not stay in memory.
        needed = understand(name, facets) if "lineage" in facets else NOTHING_SAID
        said = said_columns(facets)
        sources = () if said is None else sorted(source_datasets(said))
        names = tuple(self.name(*source) for source in sources)
        columns = None if said is None else self._column_edges(said)
        row = self._said_row(name, facets, columns)
        if not any(row[1:]) and not names:
            return Understood(NOTHING, needed)
        number = id_of(*row, names)
        if number not in self._told_ids:
            self._told_ids.add(number)
            self.told.said.append((number, *row, *_words(row)))
        return Understood(number, needed, names, None if columns is None else id_of(columns))

    def _said_row(self, name: DatasetName, facets: Json, columns: list[Row] | None) -> Row:
        fields = said_fields(facets)
        schema = read_schema(name, fields) if fields else None
        return (
            self.name(*name),
            schema and schema.version,
            schema and schema.fields.decode(),
            is_registered(facets) and schema is not None,
            columns,
            [self.name(*other) for other in symlinks(facets)],
            _dataset_facets(facets),
        )

    def _column_edges(self, columns: Json) -> list[Row]:
        """Target field, source dataset, source field, steps, masking, indirect; each way once."""
        edges: dict[tuple[str, str, str, str], Row] = {}
        whole = columns["dataset"]
        for column, how in sorted(columns["fields"].items()):
            for one in (*whole, *how["inputFields"]):
                field = one["field"]
                if field:
                    source = (one["namespace"], one["name"])
                    steps = orjson.dumps(one.get("transformations", ()), option=SORTED)
                    edges[column, *source, field] = (
                        column, self.name(*source), field, *_steps(steps)
                    )  # fmt: skip
        return list(edges.values())


def fingerprint(*parts: Any) -> str:
    """What stands for some JSON values as they are spelled."""
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:32]


@lru_cache(maxsize=1024)
def _steps(spelled: bytes) -> tuple[str, bool, bool]:
    """Transformations as text, whether one masks, and whether all are indirect."""
    steps: list[Json] = orjson.loads(spelled)
    return (
        spelled.decode(),
        any(step.get("masking") is True for step in steps),
        bool(steps) and all(step.get("type") == "INDIRECT" for step in steps),
    )


def _one(facets: Json, name: str, *readings: Callable[[Json], Any]) -> Row | None:
    """What is read of a facet; None where it is not said, and each None where it is gone."""
    if name not in facets:
        return None
    facet = facets[name]
    gone = facet is None or facet.get("_deleted") is True
    return tuple(None if gone else read(facets) for read in readings)


def _of_columns(telling: list[tuple[int, int, Understood]]) -> Row:
    """Names of datasets that columns are made from, and a hash of all that is told of columns."""
    sources = sorted({source for _, _, said in telling for source in said.sources})
    words = [
        (name_id, turn, said.columns_id)
        for name_id, turn, said in telling
        if said.columns_id is not None
    ]
    return (sources, id_of(*sorted(words)) if words else None)


def _words(said: Row) -> Row:
    """A hash of the schema and one of each single facet; None where it is not said."""
    _, version, fields, *_, facets = said
    singles: Row = facets or (None,) * len(SINGLE_FACETS)
    return (
        None if version is None else id_of(version, fields),
        *(None if one is None else id_of(*one) for one in singles),
    )


def _job_facets(facets: Json) -> Row:
    return (
        _one(facets, "jobType", processing_type, _integration, _job_type),
        _one(facets, "documentation", description),
        _one(facets, "sourceCodeLocation", location),
        _one(facets, "ownership", owners),
        _one(facets, "tags", tags_said),
    )


def _integration(facets: Json) -> str | None:
    return as_text(as_object(facets.get("jobType")).get("integration"))


def _job_type(facets: Json) -> str | None:
    return as_text(as_object(facets.get("jobType")).get("jobType"))


def _dataset_facets(facets: Json) -> Row | None:
    if facets.keys().isdisjoint(SINGLE_FACETS):
        return None
    return (
        _one(facets, "dataSource", _source),
        _one(facets, "documentation", description),
        _one(facets, "lifecycleStateChange", lifecycle_state),
        _one(facets, "datasetType", _dataset_type),
        _one(facets, "symlinks", _kind_of_links),
        _one(facets, "ownership", owners),
        _one(facets, "tags", tags_said),
    )


def _source(facets: Json) -> str | None:
    return as_text(as_object(facets.get("dataSource")).get("name"))


def _dataset_type(facets: Json) -> str | None:
    said = as_text(as_object(facets.get("datasetType")).get("datasetType"))
    return said.upper() if said else None


def _kind_of_links(facets: Json) -> str | None:
    links = as_objects(as_object(facets.get("symlinks")).get("identifiers"))
    kinds = (one.get("type") for one in links)
    return next((kind for kind in kinds if kind in ("TABLE", "VIEW", "TOPIC")), None)
