"""The same reads and aggregations in DuckDB: the measure that the Spark build is held against.

Each step reads Parquet and writes Parquet, as the build does, in one process with two threads. It
follows the same rules as the tables, as far as one statement of SQL says them; reachability, which
both would do outside of SQL, is left out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import duckdb

if TYPE_CHECKING:
    from pathlib import Path

_DATASET = """STRUCT(namespace VARCHAR, name VARCHAR,
  facets STRUCT(
    schema STRUCT(_producer VARCHAR, fields STRUCT(name VARCHAR, type VARCHAR)[]),
    symlinks STRUCT(identifiers STRUCT(namespace VARCHAR, name VARCHAR, type VARCHAR)[]),
    "columnLineage" STRUCT(fields MAP(VARCHAR, STRUCT("inputFields" STRUCT(
      namespace VARCHAR, name VARCHAR, field VARCHAR,
      transformations STRUCT(type VARCHAR, subtype VARCHAR, masking BOOLEAN)[])[])))),
  "outputFacets" STRUCT("outputStatistics" STRUCT("rowCount" BIGINT)))[]"""
_COLUMNS = {
    "eventTime": "TIMESTAMP",
    "eventType": "VARCHAR",
    "producer": "VARCHAR",
    "run": """STRUCT("runId" VARCHAR, facets STRUCT(
        parent STRUCT(run STRUCT("runId" VARCHAR), job STRUCT(namespace VARCHAR, name VARCHAR)),
        "errorMessage" STRUCT(message VARCHAR)))""",
    "job": """STRUCT(namespace VARCHAR, name VARCHAR, facets STRUCT("jobType" STRUCT(
        "processingType" VARCHAR, integration VARCHAR, "jobType" VARCHAR)))""",
    "inputs": _DATASET,
    "outputs": _DATASET,
}
_SHAPE = json.dumps({name: " ".join(kind.split()) for name, kind in _COLUMNS.items()})


def _canonical(dataset: str) -> str:
    return f"regexp_replace({dataset}.namespace, '^s3[an]://', 's3://') || '|' || {dataset}.name"


PARSE = f"""
select hash(raw) as id, raw, e."eventTime" as told, e."eventType" as type, e.producer,
  e.run."runId" as run, e.run.facets."errorMessage".message as error,
  e.run.facets.parent.run."runId" as parent, e.job.namespace || '/' || e.job.name as job,
  e.job.facets."jobType" as kind,
  e.inputs, e.outputs
from (select json::varchar as raw, from_json(json, '{_SHAPE}') as e
      from read_ndjson_objects('SOURCE/*.ndjson', ignore_errors = true))"""
REPEATED = """
create table repeated as select file_row_number from (
  select row_number() over (partition by id) as n, file_row_number
  from read_parquet('FILE', file_row_number = true)
  where id in (select id from read_parquet('FILE') group by id having count(*) > 1)) where n > 1;
create view event as select * exclude (file_row_number) from read_parquet(
  'FILE', file_row_number = true)
where file_row_number not in (select file_row_number from repeated)
"""
"""A repeated event counts once: few are, so they are left out on reading and nothing is sorted."""

_SIDES = f"""(select *, {_canonical("d")} as dataset from (
  select job, run, told, 'input' as side, unnest(inputs) as d from event
  union all select job, run, told, 'output' as side, unnest(outputs) as d from event)) s"""

STEPS: tuple[tuple[str, str], ...] = (
    ("parse", PARSE),
    (
        "runs",
        """select run, any_value(job) as job, min(told) as started,
          min(told) filter (type in ('COMPLETE', 'ABORT', 'FAIL')) as ended,
          coalesce(arg_min(type, told) filter (type in ('COMPLETE', 'ABORT', 'FAIL')), 'RUNNING')
            as state, max(error) as error, any_value(parent) as parent,
          bool_or(len(inputs) + len(outputs) > 0) as names_datasets,
          sum(list_sum(list_transform(outputs,
            lambda x: x."outputFacets"."outputStatistics"."rowCount"))) as rows
        from event group by run""",
    ),
    (
        "latest",
        """select job, arg_max(run, (started, run)) as run, max(started) as started
        from runs where names_datasets group by job""",
    ),
    (
        "edges",
        f"""select s.job, s.side, s.dataset, min(s.told) as valid_from, max(s.told) as last,
          bool_or(l.run is not null) as is_current, count(*) as said
        from {_SIDES} left join latest l using (job, run) group by all""",
    ),
    (
        "edge validity",
        f"""with told as (select distinct job, side, dataset, run from {_SIDES}),
        ordered as (
          select job, run, started,
            row_number() over (partition by job order by started, run) as n,
            lead(started) over (partition by job order by started, run) as next
          from runs where names_datasets),
        islands as (
          select t.job, t.side, t.dataset, o.n, o.started, o.next,
            o.n - row_number() over (
              partition by t.job, t.side, t.dataset order by o.n) as island
          from told t join ordered o using (job, run))
        select job, side, dataset, min(started) as valid_from, arg_max(next, n) as valid_to
        from islands group by job, side, dataset, island""",
    ),
    (
        "job",
        """select job, min(told) as first_seen, max(told) as last_seen, arg_max(kind, told) as kind,
          count(*) as events from event group by job""",
    ),
    (
        "job_version",
        """select job, md5(string_agg(side || dataset, ',' order by side, dataset)) as version,
          min(valid_from) as since from edges group by job""",
    ),
    (
        "dataset",
        f"""select s.dataset, min(s.told) as first_seen, max(s.told) as last_seen,
          max(s.told) filter (s.side = 'output') as written from {_SIDES} group by all""",
    ),
    (
        "dataset_version",
        f"""select dataset, producer, fields, min(told) as since, max(told) as until from (
          select s.dataset, s.told, s.d.facets.schema._producer as producer,
            s.d.facets.schema.fields as fields from {_SIDES}
          where s.d.facets.schema is not null) group by all""",
    ),
    (
        "column_edge",
        f"""select job, dataset, f.key as field, {_canonical("i")} as source,
          i.field as source_field, min(told) as since, max(told) as until
        from (select job, told, dataset, f, unnest(f.value."inputFields") as i from (
          select job, told, {_canonical("o")} as dataset,
            unnest(map_entries(o.facets."columnLineage".fields)) as f from (
              select job, told, unnest(outputs) as o from event))) group by all""",
    ),
    (
        "alias",
        f"""select distinct s.d.namespace as namespace, s.d.name as name, s.dataset from {_SIDES}
        where s.d.namespace || '|' || s.d.name <> s.dataset""",
    ),
    (
        "daily_job_stats",
        """select job, started::date as day, count(*) as runs,
          count(*) filter (state = 'FAIL') as failures, sum(rows) as rows,
          quantile_cont(epoch_ms(ended - started), 0.5) as p50,
          quantile_cont(epoch_ms(ended - started), 0.95) as p95
        from runs group by all""",
    ),
    (
        "freshness",
        """select e.dataset, max(r.ended) filter (r.state = 'COMPLETE') as written
        from edges e join runs r using (job) where e.side = 'output' group by all""",
    ),
)
FOUR = ("parse", "runs", "latest", "edges")
"""What the bar of five times is about."""


class Duck:
    """One connection; every table it makes is a Parquet file in ``place``."""

    def __init__(self, source: Path, place: Path) -> None:
        place.mkdir(parents=True)
        self._source, self._place = source, place
        self._connection = duckdb.connect()
        self._connection.execute(
            "set threads = 2; set preserve_insertion_order = false; set enable_progress_bar = false"
        )
        self._connection.execute(f"set temp_directory = '{place}/spill'; set memory_limit = '3GB'")

    def steps(self) -> tuple[str, ...]:
        return tuple(name for name, _ in STEPS)

    def run(self, step: str) -> int:
        """Make one table; answers how many rows it has."""
        table = "event" if step == "parse" else step.replace(" ", "_")
        file = self._place / f"{table}.parquet"
        query = dict(STEPS)[step].replace("SOURCE", str(self._source))
        self._connection.execute(f"copy ({query}) to '{file}' (format parquet)")
        view = f"create view {table} as from read_parquet('FILE')"
        self._connection.execute((REPEATED if step == "parse" else view).replace("FILE", str(file)))
        return self._connection.table(table).shape[0]

    def close(self) -> None:
        self._connection.close()
