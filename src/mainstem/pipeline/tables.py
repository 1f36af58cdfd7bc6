"""Every table of the pipeline: each column, its Spark type and its meaning, as data.

Steps open and close with ``select`` against these; the documentation is generated from them.
Ids are 64-bit hashes of names and contents, which keep shuffles narrow; that two of a million names
share one has a chance of one in thirty million, and is not looked for. An order key is the
backend's: time, rank of the type, hash.
"""

from __future__ import annotations

from mainstem.pipeline.table import DATASET_NAME, JOB_NAME, Column, Table

EVENT = Table(
    "event",
    "Every event once, typed, with what was received.",
    ("key",),
    (
        Column("key", "string", "Order key: time, rank of the type, hash of the one spelling."),
        Column("kind", "string", "run, job (declared without a run) or dataset (without a job)."),
        Column("type", "string", "START, RUNNING, OTHER, COMPLETE, ABORT, FAIL; null if untyped."),
        Column("time", "timestamp", "The event's own time."),
        Column("producer", "string", "Who said it."),
        Column("run_id", "string", "The run as a UUID; of a declaration, one made of the event."),
        *JOB_NAME,
        Column("content_id", "bigint", "What it says of its job and datasets: see `content`."),
        Column("shape_id", "bigint", "Which datasets it names on which side: see `shape`."),
        Column("names_datasets", "boolean", "Whether it names a dataset."),
        Column("rows_read", "bigint", "Rows that its inputs' statistics count; null if none do."),
        Column("rows_written", "bigint", "Rows that its outputs' statistics count."),
        Column("error", "struct<message:string>", "The errorMessage facet; null if not said."),
        Column(
            "parent",
            "struct<run_id:string,namespace:string,name:string>",
            "The parent facet; null if not said.",
        ),
        Column(
            "connector",
            "struct<config:string,edges:array<struct<dataset_id:bigint,evidence:string>>>",
            "The mainstem_connector facet: configuration's hash, how each edge is known.",
        ),
        Column(
            "pattern",
            "struct<snapshot:boolean,window:double>",
            "The jobType facet: whether each event tells everything; promised seconds between two.",
        ),
        Column("location", "struct<url:string>", "The sourceCodeLocation facet of the job."),
        Column("raw", "string", "The event as it was received."),
    ),
)

QUARANTINE = Table(
    "quarantine",
    "What could not be read as an event, and why.",
    ("origin", "raw"),
    (
        Column("origin", "string", "The file, or the topic, partition and offset, it came from."),
        Column("reason", "string", "Every mistake that was found."),
        Column("raw", "string", "What was received; bytes that are no UTF-8 are replaced."),
    ),
)

RUN = Table(
    "run",
    "Every run as the fold of its events.",
    ("run_id",),
    (
        Column("run_id", "string", "The run as a UUID."),
        *JOB_NAME,
        Column("declared", "boolean", "Whether it is no run but a description of the job."),
        Column("state", "string", "NEW, RUNNING, COMPLETED, ABORTED or FAILED."),
        Column("created_at", "timestamp", "Its first event's time."),
        Column("updated_at", "timestamp", "Its last event's time."),
        Column("started_at", "timestamp", "Its START; else when it was first seen running."),
        Column("ended_at", "timestamp", "Its first terminal event's time; null while it runs."),
        Column("duration_ms", "bigint", "From start (or first event) to end; null while it runs."),
        Column("error", "string", "The latest errorMessage; null if there is none."),
        Column("parent_run_id", "string", "The run that started it."),
        Column("parent_namespace", "string", "The namespace of the job that started it."),
        Column("parent_name", "string", "The name of the job that started it."),
        Column("config_version", "string", "The connector's configuration, or where code lies."),
        Column(
            "overdue_after",
            "timestamp",
            "When it is stale if nothing comes; null if it ended or promised nothing.",
        ),
        Column("rows_read", "bigint", "Rows it counted as read."),
        Column("rows_written", "bigint", "Rows it counted as written."),
        Column("events", "bigint", "How many events told it."),
        Column("names_datasets", "boolean", "Whether some event named a dataset."),
        Column("named_key", "string", "Order key of the last event that named a dataset."),
        Column("snapshot", "boolean", "Whether each of its events tells everything."),
        Column(
            "told",
            "array<struct<shape_id:bigint,first_at:timestamp,last_key:string>>",
            "What it was told with, see `shape`: when first, and the last event that did.",
        ),
        Column(
            "edges",
            "array<struct<dataset_id:bigint,evidence:string>>",
            "How a watcher knows its edges; null where none told it.",
        ),
        # One text and no struct: nested columns are read four times as slowly, and a build that
        # goes on looks through every run for the few that it knows.
        Column("fold", "string", "What the next build needs to go on, as JSON; not for reading."),
    ),
)

JOB = Table(
    "job",
    "Every job with its latest runs.",
    ("job_id",),
    (
        *JOB_NAME,
        Column("created_at", "timestamp", "When it was first spoken of."),
        Column("updated_at", "timestamp", "When it was last spoken of."),
        Column("processing_type", "string", "BATCH or STREAM."),
        Column("integration", "string", "Such as SPARK or KAFKA_CONNECT."),
        Column("job_type", "string", "Such as SQL_JOB or SINK_CONNECTOR."),
        Column("description", "string", "What its documentation facet says."),
        Column("location", "string", "Where its source code lies."),
        Column("owners", "array<string>", "Who owns it."),
        Column("tags", "array<string>", "Its tags, as key or key:value."),
        Column("parent_namespace", "string", "The job that starts it."),
        Column("parent_name", "string", "The job that starts it."),
        Column("latest_run_id", "string", "Its latest run, by first event."),
        Column("latest_run_at", "timestamp", "When that run began."),
        Column("latest_state", "string", "That run's state."),
        Column("current_run_id", "string", "The latest run that named datasets; its edges stand."),
        Column("current_run_at", "timestamp", "When that run began."),
        Column("current_version", "string", "The job_version of that run."),
        Column("runs", "bigint", "How many runs it had."),
        Column("last_key", "string", "Order key of the last event that spoke of it."),
        Column(
            "others_until",
            "timestamp",
            "No run but the latest began later; for the next build, not for reading.",
        ),
        Column(
            "columns_word",
            "bigint",
            "Hash of what it told last of columns; for the next build, not for reading.",
        ),
    ),
)

JOB_VERSION = Table(
    "job_version",
    "What a job read and wrote under one configuration, by contents.",
    ("job_id", "version"),
    (
        *JOB_NAME,
        Column("version", "string", "UUID of the contents, the same as the backend's."),
        Column("inputs", "array<struct<namespace:string,name:string>>", "What it read."),
        Column("outputs", "array<struct<namespace:string,name:string>>", "What it wrote."),
        Column("config_version", "string", "The configuration it ran under."),
        Column("created_at", "timestamp", "When the first run with it began."),
        Column("last_run_at", "timestamp", "When the last run with it began."),
        Column("last_run_id", "string", "The last run with it."),
        Column("runs", "bigint", "How many runs had it."),
        Column("signatures", "array<bigint>", "What its runs told, for the next build alone."),
    ),
)

DATASET = Table(
    "dataset",
    "Every physical dataset once, whatever names it is known by; its times are in `freshness`.",
    ("dataset_id",),
    (
        *DATASET_NAME,
        Column("kind", "string", "TABLE, TOPIC, FILE, …"),
        Column("created_at", "timestamp", "When it was first spoken of."),
        Column("version", "string", "The current schema's version; null if nobody told one."),
        Column("fields", "string", "The current schema's fields as JSON, in Marquez's shape."),
        Column("schema_registered", "boolean", "Whether a schema registry vouches for them."),
        Column("source", "string", "The data source it belongs to."),
        Column("description", "string", "What its documentation facet says."),
        Column("lifecycle", "string", "The last change of the whole, such as CREATE or DROP."),
        Column("owners", "array<string>", "Who owns it."),
        Column("tags", "array<string>", "Its tags, as key or key:value."),
    ),
)

DATASET_VERSION = Table(
    "dataset_version",
    "Every schema a dataset had, per producer.",
    ("dataset_id", "version", "producer"),
    (
        *DATASET_NAME,
        Column("version", "string", "UUID of name and fields, the same as the backend's."),
        Column("producer", "string", "Who told it."),
        Column("said_namespace", "string", "The dataset's namespace as it was said."),
        Column("said_name", "string", "The dataset's name as it was said."),
        Column("fields", "string", "Its fields as JSON, in Marquez's shape."),
        Column("registered", "boolean", "Whether a schema registry vouches for it."),
        Column("created_at", "timestamp", "When this producer first told it."),
        Column("run_id", "string", "The first run that wrote with it; null if none did."),
        Column("written_key", "string", "Order key of the event that did."),
        Column("first_key", "string", "Order key of its first event."),
    ),
)

EDGE = Table(
    "edge",
    "When a job read or wrote a dataset, period by period.",
    ("job_id", "dataset_id", "written", "valid_from"),
    (
        *JOB_NAME,
        *DATASET_NAME,
        Column(
            "written", "boolean", "True where the job writes the dataset, false where it reads."
        ),
        Column("valid_from", "timestamp", "The first event of the period that said it."),
        Column(
            "valid_to",
            "timestamp",
            "The start of the first later run that named datasets and"
            " not this one; null while it stands.",
        ),
        Column(
            "evidence",
            "string",
            "seen, declared, config or unknown where a watcher tells it,"
            " else reported; of a standing edge only.",
        ),
        Column(
            "confidence", "string", "How sure that makes it: certain, declared, likely, unknown."
        ),
    ),
)

PAIR = Table(
    "pair",
    "Which input becomes which output, for jobs whose current run says so explicitly; of every"
    " other job each input may become each output.",
    ("job_id", "source_id", "target_id"),
    (
        Column("job_id", "bigint", "The job."),
        Column("source_id", "bigint", "The dataset read; null where the job says that none is."),
        Column("target_id", "bigint", "The dataset written."),
    ),
)

COLUMN_EDGE = Table(
    "column_edge",
    "Which column is made from which, as each job last told it of what it still writes.",
    ("target_id", "target_field", "source_id", "source_field", "job_id"),
    (
        Column("job_id", "bigint", "The job that makes it; 0 where no job was spoken of."),
        Column("source_id", "bigint", "The dataset it is made from."),
        Column("source_namespace", "string", "Its canonical namespace."),
        Column("source_name", "string", "Its canonical name."),
        Column("source_field", "string", "The column it is made from."),
        Column("target_id", "bigint", "The dataset it belongs to."),
        Column("target_namespace", "string", "Its canonical namespace."),
        Column("target_name", "string", "Its canonical name."),
        Column("target_field", "string", "The column."),
        Column("transformations", "string", "The steps as JSON, as they were told."),
        Column("masking", "boolean", "Whether some step masks."),
        Column("indirect", "boolean", "Whether it only influences: every step is INDIRECT."),
    ),
)

ALIAS = Table(
    "alias",
    "Names that are not canonical, and the canonical name of each.",
    ("namespace", "name"),
    (
        Column("namespace", "string", "The namespace as somebody said it."),
        Column("name", "string", "The name as somebody said it."),
        Column("dataset_id", "bigint", "The dataset that it is."),
        Column("canonical_namespace", "string", "Its canonical namespace."),
        Column("canonical_name", "string", "Its canonical name."),
        Column("origin", "string", "symlink, file (the alias file) or spelling (built-in rules)."),
    ),
)

REACHABILITY = Table(
    "reachability",
    "What lies downstream of what, in hops along current edges; explicit pairs are obeyed.",
    ("ancestor_id", "descendant_id"),
    (
        Column("component_id", "bigint", "The weakly connected part: the least id in it."),
        Column("ancestor_id", "bigint", "A dataset or job."),
        Column("descendant_id", "bigint", "A dataset or job that its data reaches."),
        Column("distance", "int", "Hops; from dataset to job is one, from job to dataset another."),
    ),
)

DAILY_JOB_STATS = Table(
    "daily_job_stats",
    "Runs of each job by the UTC day they began.",
    ("day", "job_id"),
    (
        Column("day", "date", "The UTC day of the runs' first events."),
        *JOB_NAME,
        Column("runs", "bigint", "How many began."),
        Column("completed", "bigint", "How many of them completed."),
        Column("failures", "bigint", "How many of them failed."),
        Column("aborted", "bigint", "How many of them were aborted."),
        Column("p50_duration_ms", "double", "Median duration of those that ended."),
        Column("p95_duration_ms", "double", "95th percentile of it."),
        Column("rows_read", "bigint", "Rows they counted as read."),
        Column("rows_written", "bigint", "Rows they counted as written."),
    ),
    together="day",
)

FRESHNESS = Table(
    "freshness",
    "How fresh each dataset is.",
    ("dataset_id",),
    (
        *DATASET_NAME,
        Column("updated_at", "timestamp", "When it was last spoken of."),
        Column("written_at", "timestamp", "When a job last wrote it; null if none was seen to."),
        Column("written_by", "bigint", "The job that did."),
        Column("read_at", "timestamp", "When a job last read it."),
        Column("schema_changed_at", "timestamp", "When its current schema was first told."),
        Column("writers", "bigint", "How many jobs write it now."),
        Column("readers", "bigint", "How many jobs read it now."),
        Column("last_key", "string", "Order key of the last event that spoke of it."),
        Column("written_key", "string", "Order key of the last event that wrote it."),
        Column("read_key", "string", "Order key of the last event that read it."),
    ),
)

TABLES = (
    EVENT, QUARANTINE, RUN, JOB, JOB_VERSION, DATASET, DATASET_VERSION, EDGE, PAIR, COLUMN_EDGE,
    ALIAS, REACHABILITY, DAILY_JOB_STATS, FRESHNESS,
)  # fmt: skip
