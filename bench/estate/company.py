"""The jobs and datasets of a company, drawn once from a seed: who reads and writes what."""

from __future__ import annotations

import random
from typing import NamedTuple

import orjson

SPARK = "https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/spark"
AIRFLOW = "https://github.com/apache/airflow/tree/providers-openlineage/2.9.0"
SCHEMA_URL = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
FACETS = "https://openlineage.io/spec/facets"
SOURCE_SHARE = 0.2
"""Datasets that no job writes."""
CHANGING_SHARE = 0.1
"""Jobs whose output gets another column, and whose inputs change, after a while."""
COLUMNS = (
    ("id", "bigint"),
    ("customer_id", "bigint"),
    ("amount", "decimal(18,2)"),
    ("created_at", "timestamp"),
    ("status", "string"),
)
ROWS_TO_FILL_IN = 12_345_678_901
ADDED = ("discount", "decimal(18,2)")

Json = dict[str, object]
_HOW: tuple[Json, ...] = ({}, {"transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}]})


class Job(NamedTuple):
    """What a job touches, as numbers of datasets."""

    number: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    later_inputs: tuple[int, ...]
    """What it reads after its change; the same as before for most."""

    @property
    def changes(self) -> bool:
        return self.inputs != self.later_inputs


class Words(NamedTuple):
    """The parts of a job's events that every run repeats, as JSON without a time and a run id."""

    job: bytes
    opening: bytes
    """Inputs and outputs as START and RUNNING tell them: no column lineage yet."""
    closing: tuple[bytes, bytes]
    """Inputs and outputs as COMPLETE tells them, around the count of rows written."""


class Company:
    """Jobs in layers: each reads datasets of lower numbers than those it writes."""

    def __init__(self, jobs: int, datasets: int, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311 - a benchmark's chances
        self._sources = max(1, int(datasets * SOURCE_SHARE))
        written = datasets - self._sources
        bounds = [self._sources + written * number // jobs for number in range(jobs + 1)]
        self.jobs = [
            self._job(number, tuple(range(*bounds[number : number + 2]))) for number in range(jobs)
        ]
        self._words: dict[tuple[int, bool], Words] = {}

    def words(self, job: Job, *, later: bool) -> Words:
        """What the job's events say, before or after its change."""
        key = (job.number, later and job.changes)
        if key not in self._words:
            self._words[key] = _words(job, later=key[1])
        return self._words[key]

    def _job(self, number: int, outputs: tuple[int, ...]) -> Job:
        below = outputs[0] if outputs else self._sources
        inputs = tuple(sorted({self._input(below) for _ in range(self._draw.randint(1, 3))}))
        changes = self._draw.random() < CHANGING_SHARE
        later = tuple(sorted({*inputs[1:], self._input(below)})) if changes else inputs
        return Job(number, inputs, outputs, later)

    def _input(self, below: int) -> int:
        """Mostly a neighbour, sometimes one of the sources that everybody reads."""
        if self._draw.random() < 0.4:
            return int(self._sources * self._draw.random() ** 3)
        return self._draw.randrange(max(0, below - 2_000), below)


def name_of(dataset: int, *, spoken_by_reader: bool) -> tuple[str, str]:
    """Namespace and name; readers of a bucket say ``s3a``, as Spark does, its writers ``s3``."""
    match dataset % 4:
        case 0:
            return f"kafka://broker-{dataset % 3}:9092", f"team{dataset % 40}.topic-{dataset}"
        case 1:
            scheme = "s3a" if spoken_by_reader else "s3"
            return f"{scheme}://lake-{dataset % 7}", f"warehouse/team{dataset % 40}/table_{dataset}"
        case 2:
            return f"postgres://db-{dataset % 11}:5432", f"shop.team{dataset % 40}.t_{dataset}"
        case _:
            return "bigquery", f"project-{dataset % 5}.team{dataset % 40}.t_{dataset}"


def columns_of(dataset: int, *, later: bool) -> tuple[tuple[str, str], ...]:
    """Three to five columns, and one more after the change of its writer."""
    return (*COLUMNS[: 3 + dataset % 3], *((ADDED,) if later else ()))


def _words(job: Job, *, later: bool) -> Words:
    producer = SPARK if job.number % 3 else AIRFLOW
    inputs = job.later_inputs if later else job.inputs
    # Some inputs are described by their readers; outputs only when a run has completed.
    read = [
        _dataset(
            one,
            producer,
            spoken_by_reader=True,
            facets=_schema(one, producer, later=False) if one % 5 == 0 else {},
        )
        for one in inputs
    ]
    first = [_dataset(one, producer, facets={}) for one in job.outputs]
    last = [
        _dataset(
            one,
            producer,
            facets={
                **_schema(one, producer, later=later),
                **_column_lineage(one, inputs, producer, later=later),
            },
            rows=1000 + one if place else ROWS_TO_FILL_IN,
        )
        for place, one in enumerate(job.outputs)
    ]
    before, after = _without_braces({"inputs": read, "outputs": last}).split(
        b"%d" % ROWS_TO_FILL_IN
    )
    described = {
        "namespace": f"airflow-{job.number % 6}" if job.number % 3 == 0 else "spark",
        "name": f"team{job.number % 40}.pipeline_{job.number // 10}.task_{job.number}",
        "facets": {
            "jobType": {
                "_producer": producer,
                "_schemaURL": f"{FACETS}/2-0-3/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
                "processingType": "BATCH",
                "integration": "SPARK" if job.number % 3 else "AIRFLOW",
                "jobType": "JOB",
            }
        },
    }
    rest = {"producer": producer, "schemaURL": SCHEMA_URL, "job": described}
    opening = _without_braces({"inputs": read, "outputs": first})
    return Words(_without_braces(rest), opening, (before, after))


def _without_braces(value: Json) -> bytes:
    return orjson.dumps(value)[1:-1]


def _dataset(
    number: int,
    producer: str,
    *,
    facets: Json,
    spoken_by_reader: bool = False,
    rows: int | None = None,
) -> Json:
    namespace, name = name_of(number, spoken_by_reader=spoken_by_reader)
    told: Json = {"namespace": namespace, "name": name}
    if facets:
        told["facets"] = facets
    if rows is not None:
        told["outputFacets"] = {
            "outputStatistics": {
                "_producer": producer,
                "_schemaURL": (
                    f"{FACETS}/1-0-2/OutputStatisticsOutputDatasetFacet.json"
                    "#/$defs/OutputStatisticsOutputDatasetFacet"
                ),
                "rowCount": rows,
                "size": 2048 * (1 + number % 100),
            }
        }
    return told


def _schema(number: int, producer: str, *, later: bool) -> Json:
    return {
        "schema": {
            "_producer": producer,
            "_schemaURL": f"{FACETS}/1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet",
            "fields": [
                {"name": name, "type": kind} for name, kind in columns_of(number, later=later)
            ],
        }
    }


def _column_lineage(number: int, inputs: tuple[int, ...], producer: str, *, later: bool) -> Json:
    fields: dict[str, object] = {}
    for position, (column, _) in enumerate(columns_of(number, later=later)):
        source = inputs[position % len(inputs)]
        namespace, name = name_of(source, spoken_by_reader=True)
        theirs = columns_of(source, later=False)
        fields[column] = {
            "inputFields": [
                {
                    "namespace": namespace,
                    "name": name,
                    "field": theirs[position % len(theirs)][0],
                    **_HOW[position % 2],
                }
            ]
        }
    return {
        "columnLineage": {
            "_producer": producer,
            "_schemaURL": (
                f"{FACETS}/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet"
            ),
            "fields": fields,
        }
    }
