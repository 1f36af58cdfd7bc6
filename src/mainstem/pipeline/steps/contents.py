"""What an event says of its job and datasets, known by its contents and told once."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from msgspec import Struct, field

from mainstem.names.dataset import DatasetName
from mainstem.said.columns import columns_of_entry
from mainstem.said.datasets import DatasetSaid, lifecycle_state, understand
from mainstem.said.event import JobName, Mention
from mainstem.said.jobs import description, location, owners, processing_type, tags_said
from mainstem.said.json_values import Json, as_object, as_objects, as_text
from mainstem.said.kind import dataset_kind
from mainstem.said.pairs import entries, implied_datasets, said_pairs, target

NOTHING = 0
"""The id of contents that say nothing."""

NOTHING_SAID = DatasetSaid(b"{}")
SINGLE_FACETS = (
    "dataSource", "documentation", "lifecycleStateChange", "datasetType", "symlinks", "ownership",
    "tags",
)  # fmt: skip
"""Facets of a dataset that stand in columns of their own."""

Row = tuple[Any, ...]


def id_of(*parts: Any) -> int:
    """A 64-bit id of some JSON values, never nought."""
    digest = hashlib.blake2b(orjson.dumps(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1


class Told(Struct):
    """Rows that were told for the first time since they were last taken."""

    contents: list[Row] = field(default_factory=list[Row])
    said: list[Row] = field(default_factory=list[Row])
    names: list[Row] = field(default_factory=list[Row])


class Contents:
    """Gives contents their ids; each of them is in ``told`` once."""

    def __init__(self) -> None:
        self.told = Told()
        self._names: dict[tuple[str, str], int] = {}
        self._said: dict[bytes, tuple[int, DatasetSaid]] = {}
        self._contents: dict[bytes, tuple[int, bool]] = {}
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
    ) -> tuple[int, bool]:
        """The id of what an event says, without input and output facets; whether it names any."""
        print_of_it = _fingerprint(job, inputs, outputs)
        known = self._contents.get(print_of_it)
        if known is None:
            known = self._contents[print_of_it] = self._content(job, inputs, outputs)
        return known

    def _content(
        self, job: Json | None, inputs: list[Json], outputs: list[Json]
    ) -> tuple[int, bool]:
        sides = (None,) if job is None else (False, True)
        mentions: list[Mention] = []
        listed: list[tuple[int, bool | None, int]] = []
        for written, datasets in zip(sides, (inputs, outputs), strict=False):
            for one in datasets:
                name = DatasetName(one["namespace"], one["name"])
                said_id, said = self._understand(name, one.get("facets") or {})
                mentions.append(Mention(name, written, {}, said))
                listed.append((self.name(*name), written, said_id))
        facets: Json = {} if job is None else job.get("facets") or {}
        pairs: list[tuple[int, int]] | None = None
        columns: list[tuple[int, int]] = []
        if job is not None:
            listed += self._implied(job, facets, mentions)
            told = said_pairs(facets, tuple(mentions))
            if told is not None:
                pairs = [(self.name(*source), self.name(*output)) for source, output in told]
            columns = self._columns(facets)
        return self._tell((listed, pairs, columns, _job_facets(facets))), bool(listed)

    def _tell(self, row: Row) -> int:
        number = id_of(*row)
        if number not in self._told_ids:
            self._told_ids.add(number)
            self.told.contents.append((number, *row))
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

    def _columns(self, facets: Json) -> list[tuple[int, int]]:
        """What a job's lineage facet tells of columns, as facets of each output."""
        found: list[tuple[int, int]] = []
        for entry in entries(facets):
            name = target(entry)
            if name is not None and columns_of_entry(entry) is not None:
                said_id, _ = self._understand(name, {"lineage": entry})
                found.append((self.name(*name), said_id))
        return found

    def _understand(self, name: DatasetName, facets: Json) -> tuple[int, DatasetSaid]:
        if not facets:
            return NOTHING, NOTHING_SAID
        print_of_it = _fingerprint(*name, facets)
        known = self._said.get(print_of_it)
        if known is None:
            said = understand(name, facets)
            row = self._said_row(name, facets, said)
            number = id_of(*row) if any(row[1:]) else NOTHING
            if number not in self._told_ids and number != NOTHING:
                self._told_ids.add(number)
                self.told.said.append((number, *row))
            # Pairs are told by explicit lineage; the rest need not stay in memory.
            needed = said if "lineage" in said.names else NOTHING_SAID
            known = self._said[print_of_it] = (number, needed)
        return known

    def _said_row(self, name: DatasetName, facets: Json, said: DatasetSaid) -> Row:
        columns = sources = None
        if said.columns is not None:
            columns = [
                (column, self.name(*source), *rest)
                for column, source, *rest in _column_edges(orjson.loads(said.columns.facet))
            ]
            sources = [self.name(*source) for source in said.columns.sources]
        return (
            self.name(*name),
            said.schema and said.schema.version,
            said.schema and said.schema.fields.decode(),
            said.registered and said.schema is not None,
            columns,
            sources,
            [self.name(*other) for other in said.symlinks],
            _dataset_facets(facets),
        )


def _fingerprint(*parts: Any) -> bytes:
    return hashlib.blake2b(orjson.dumps(parts), digest_size=16).digest()


def _column_edges(columns: Json) -> list[tuple[Any, ...]]:
    """Target field, source dataset, source field, steps, masking, indirect; each way once."""
    edges: dict[tuple[str, str, str, str], Row] = {}
    whole = columns["dataset"]
    for column, how in columns["fields"].items():
        for one in (*whole, *how["inputFields"]):
            if not one["field"]:
                continue
            steps = as_objects(one.get("transformations"))
            source = (one["namespace"], one["name"])
            edges[column, *source, one["field"]] = (
                column,
                source,
                one["field"],
                orjson.dumps(steps).decode(),
                any(step.get("masking") is True for step in steps),
                bool(steps) and all(step.get("type") == "INDIRECT" for step in steps),
            )
    return list(edges.values())


def _one(facets: Json, name: str, *values: Any) -> Row | None:
    """A facet's values; None where it is not said, and each None where it is gone."""
    if name not in facets:
        return None
    facet = facets[name]
    gone = facet is None or facet.get("_deleted") is True
    return tuple(None for _ in values) if gone else values


def _job_facets(facets: Json) -> Row:
    kind = as_object(facets.get("jobType"))
    integration, job_type = as_text(kind.get("integration")), as_text(kind.get("jobType"))
    return (
        _one(facets, "jobType", processing_type(facets), integration, job_type),
        _one(facets, "documentation", description(facets)),
        _one(facets, "sourceCodeLocation", location(facets)),
        _one(facets, "ownership", owners(facets)),
        _one(facets, "tags", tags_said(facets)),
    )


def _dataset_facets(facets: Json) -> Row | None:
    if facets.keys().isdisjoint(SINGLE_FACETS):
        return None
    links = as_objects(as_object(facets.get("symlinks")).get("identifiers"))
    kinds = [one.get("type") for one in links if one.get("type") in ("TABLE", "VIEW", "TOPIC")]
    kind = as_text(as_object(facets.get("datasetType")).get("datasetType"))
    return (
        _one(facets, "dataSource", as_text(as_object(facets.get("dataSource")).get("name"))),
        _one(facets, "documentation", description(facets)),
        _one(facets, "lifecycleStateChange", lifecycle_state(facets)),
        _one(facets, "datasetType", kind.upper() if kind else None),
        _one(facets, "symlinks", kinds[0] if kinds else None),
        _one(facets, "ownership", owners(facets)),
        _one(facets, "tags", tags_said(facets)),
    )
