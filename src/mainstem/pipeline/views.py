"""What ``mainstem pipeline ask`` answers: each question as a view with its columns, as data."""

from __future__ import annotations

from mainstem.pipeline.table import Column, Table

IMPACT = Table(
    "impact",
    "What lies downstream of a dataset or a job, nearest first, along the edges that stand now.",
    ("kind", "namespace", "name"),
    (
        Column("distance", "int", "Hops; from dataset to job is one, from job to dataset another."),
        Column("kind", "string", "dataset or job."),
        Column("namespace", "string", "Its namespace."),
        Column("name", "string", "Its name."),
    ),
)

COLUMN_IMPACT = Table(
    "column_impact",
    "What is made from a column, nearest first; walked over `column_edge` when it is asked for.",
    ("namespace", "name", "field"),
    (
        Column("distance", "int", "Hops from column to column."),
        Column("namespace", "string", "The namespace of the dataset that the column belongs to."),
        Column("name", "string", "The name of that dataset."),
        Column("field", "string", "The column."),
        Column("indirect", "boolean", "Whether every way there passes a mere influence."),
        Column("masked", "boolean", "Whether every way there passes a step that masks."),
    ),
)

ORPHANS = Table(
    "orphans",
    "Datasets that nobody reads; what is still written comes first, since that is work for nobody.",
    ("namespace", "name"),
    (
        Column("namespace", "string", "The dataset's namespace."),
        Column("name", "string", "The dataset's name."),
        Column("writers", "bigint", "How many jobs write it now."),
        Column("written_at", "timestamp", "When a job last wrote it; null if none was seen to."),
        Column("written_by", "string", "The job that did."),
        Column("read_at", "timestamp", "When a job last read it; null if none ever did."),
    ),
)

STALE = Table(
    "stale",
    "Jobs that no longer run: silent for several times their usual gap between two runs and for"
    " longer than ever before, or past the window that their running run promised.",
    ("namespace", "name"),
    (
        Column("namespace", "string", "The job's namespace."),
        Column("name", "string", "The job's name."),
        Column("why", "string", "rhythm (its own gaps) or promise (its run's window)."),
        Column("last_run_at", "timestamp", "When its latest run began."),
        Column("last_state", "string", "That run's state."),
        Column("runs", "bigint", "How many runs its rhythm is known from."),
        Column("usual_gap_s", "double", "The median of seconds between two of its runs."),
        Column("silent_s", "double", "Seconds since its latest run began, or was last heard of."),
        Column("times", "double", "The silence in usual gaps, or in promised windows."),
    ),
)

CHANGED = Table(
    "changed",
    "Schemas that changed in a period, as their producer told them, and whom that touches.",
    ("at", "namespace", "name", "producer"),
    (
        Column("at", "timestamp", "When the new schema was first told."),
        Column("namespace", "string", "The dataset's namespace."),
        Column("name", "string", "The dataset's name."),
        Column("producer", "string", "Who told it; first words of a new producer are no change."),
        Column("added", "array<string>", "Columns that it has now."),
        Column("removed", "array<string>", "Columns that it no longer has."),
        Column("retyped", "array<string>", "Columns whose type is another."),
        Column("readers", "array<string>", "The jobs that read it at that time."),
        Column("downstream", "bigint", "Datasets and jobs that its data reaches now."),
    ),
)

VIEWS = (IMPACT, COLUMN_IMPACT, ORPHANS, STALE, CHANGED)
