"""Which input reaches which output, where an event says so in an explicit ``lineage`` facet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.dataset import DatasetName
from mainstem.said.json_values import Json, as_object, as_objects, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.said.event import JobName, Mention

Pair = tuple[DatasetName, DatasetName]


def entries(job_facets: Json) -> list[Json]:
    """The entries of a job's ``lineage`` facet, malformed ones left out."""
    return as_objects(as_object(job_facets.get("lineage")).get("entries"))


def target(entry: Json) -> DatasetName | None:
    """The dataset that an entry is about; None where it is about a job."""
    return _dataset(entry) if entry.get("type") != "JOB" else None


def inputs_of(entry: Json) -> Iterator[DatasetName]:
    """The datasets that feed an entry's target, whole or by field."""
    for holder in (entry, *as_object(entry.get("fields")).values()):
        for one in as_objects(as_object(holder).get("inputs")):
            dataset = _dataset(one)
            if dataset is not None:
                yield dataset


def job_inputs(job_facets: Json, job: JobName) -> Iterator[DatasetName]:
    """What the job itself is said to read, whatever becomes of it."""
    for entry in entries(job_facets):
        if entry.get("type") == "JOB":
            named = (entry.get("namespace", job.namespace), entry.get("name", job.name))
            if named == (job.namespace, job.name):
                yield from inputs_of(entry)


def implied_datasets(job_facets: Json, job: JobName) -> set[tuple[DatasetName, bool]]:
    """Every dataset that the explicit ``lineage`` facet names, and whether it is written."""
    implied = {(dataset, False) for dataset in job_inputs(job_facets, job)}
    for entry in entries(job_facets):
        name = target(entry)
        if name is not None:
            implied |= {(name, True), *((dataset, False) for dataset in inputs_of(entry))}
    return implied


def said_pairs(job_facets: Json, mentions: tuple[Mention, ...]) -> tuple[Pair, ...] | None:
    """The pairs that an event states; None where it leaves them to inputs times outputs."""
    own = [
        (one.dataset, as_object(lineage))
        for one in mentions
        if one.written and "lineage" in one.said.names
        if isinstance(lineage := one.said.facets["lineage"], dict)
    ]
    if isinstance(job_facets.get("lineage"), dict):
        own += [(name, one) for one in entries(job_facets) if (name := target(one)) is not None]
        return _distinct(own)
    if not own:
        return None
    explicit = {name for name, _ in own}
    inputs = [one.dataset for one in mentions if one.written is False]
    outputs = [one.dataset for one in mentions if one.written and one.dataset not in explicit]
    return (*_distinct(own), *((source, output) for output in outputs for source in inputs))


def _distinct(described: list[tuple[DatasetName, Json]]) -> tuple[Pair, ...]:
    return tuple(sorted({(one, name) for name, entry in described for one in inputs_of(entry)}))


def _dataset(said: Json) -> DatasetName | None:
    namespace, name = as_text(said.get("namespace")), as_text(said.get("name"))
    if said.get("type") == "JOB" or not namespace or not name:
        return None
    return DatasetName(namespace, name)
