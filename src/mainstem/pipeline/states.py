"""Tables that the next build needs to go on, and that nobody else reads."""

from __future__ import annotations

from mainstem.pipeline.table import JOB_NAME, Column, Table

# Flat, since nested columns are read several times as slowly.
WORDS = (
    Column("schema_word", "bigint", "Hash of the schema; null where none is said."),
    Column("source_word", "bigint", "Likewise of the facet dataSource."),
    Column("documentation_word", "bigint", "Likewise of documentation."),
    Column("lifecycle_word", "bigint", "Likewise of lifecycleStateChange."),
    Column("type_word", "bigint", "Likewise of datasetType."),
    Column("links_word", "bigint", "Likewise of symlinks, as far as they tell a kind."),
    Column("ownership_word", "bigint", "Likewise of ownership."),
    Column("tags_word", "bigint", "Likewise of tags."),
)
"""What is said of a dataset, so that words are compared and not read."""

CONTENT = Table(
    "content",
    "What events say of their job and datasets, once per contents.",
    ("content_id",),
    (
        Column("content_id", "bigint", "Hash of the rest."),
        Column(
            "mentions",
            "array<struct<name_id:bigint,written:boolean,said_id:bigint>>",
            "Each dataset on each side; written is null where no job is spoken of.",
        ),
        Column(
            "columns",
            "array<struct<name_id:bigint,said_id:bigint>>",
            "What the job's lineage facet tells of columns, by output.",
        ),
        Column(
            "job",
            "struct<type:struct<processing:string,integration:string,job_type:string>,"
            "documentation:struct<description:string>,location:struct<url:string>,"
            "ownership:struct<owners:array<string>>,tags:struct<tags:array<string>>>",
            "The job's facets; each is null where it is not said, empty where it is gone.",
        ),
        Column("sources", "array<bigint>", "Names of datasets that columns are made from."),
        Column("columns_id", "bigint", "Hash of all that it tells of columns; null if nothing."),
    ),
)

SHAPE = Table(
    "shape",
    "Which datasets events of a job name, and which becomes which: all that moves its edges.",
    ("shape_id",),
    (
        Column("shape_id", "bigint", "Hash of the rest."),
        Column("sides", "array<struct<name_id:bigint,written:boolean>>", "Each once, in order."),
        Column(
            "pairs",
            "array<struct<source:bigint,target:bigint>>",
            "Explicit pairs; null where none are said.",
        ),
    ),
)

SAID = Table(
    "said",
    "What facets say of a dataset, once per dataset and contents.",
    ("said_id",),
    (
        Column("said_id", "bigint", "Hash of the rest."),
        Column("name_id", "bigint", "The dataset under the name that was said."),
        Column("version", "string", "The version that its schema makes; null without one."),
        Column("fields", "string", "The schema's fields as JSON, in Marquez's shape."),
        Column("registered", "boolean", "Whether a schema registry vouches for the schema."),
        Column(
            "columns",
            "array<struct<target_field:string,source_id:bigint,source_field:string,"
            "transformations:string,masking:boolean,indirect:boolean>>",
            "Which column is made from which; null where nothing is told.",
        ),
        Column("symlinks", "array<bigint>", "Other names of it."),
        Column(
            "facets",
            "struct<source:struct<name:string>,documentation:struct<description:string>,"
            "lifecycle:struct<state:string>,type:struct<kind:string>,links:struct<kind:string>,"
            "ownership:struct<owners:array<string>>,tags:struct<tags:array<string>>>",
            "Single facets; each is null where it is not said, empty where it is gone.",
        ),
        *WORDS,
    ),
)

NAME = Table(
    "name",
    "Every dataset name that was said.",
    ("name_id",),
    (
        Column("name_id", "bigint", "Hash of namespace and name."),
        Column("namespace", "string", "As it was said."),
        Column("name", "string", "As it was said."),
        Column("kind", "string", "TABLE, TOPIC, …: what the namespace's scheme tells."),
    ),
)

SPELLING = Table(
    "spelling",
    "How jobs spelled what they told: a later event in the same letters is understood already.",
    ("job_id", "content_id", "shape_id"),
    (
        Column("job_id", "bigint", "The job; nought where an event speaks of none."),
        Column("content_id", "bigint", "The contents."),
        Column("shape_id", "bigint", "The shape."),
        Column("told", "string", "A hash of one spelling, and what was understood, as JSON."),
    ),
)
"""One of each, however many ways there are to say the same."""

USE = Table(
    "use",
    "Which contents which producer told of which job.",
    ("content_id", "job_id", "producer"),
    (
        Column("content_id", "bigint", "The contents."),
        *JOB_NAME,
        Column("producer", "string", "Who told it."),
        Column("first_key", "string", "Order key of the first event with it."),
        Column("first_run_id", "string", "That event's run."),
        Column("last_key", "string", "Order key of the last event with it."),
        Column("parent_key", "string", "Order key of the last of them that tells a parent job."),
        Column("parent", "struct<namespace:string,name:string>", "The job that it tells."),
    ),
)

HABIT = Table(
    "habit",
    "What each job told last; a later run that tells the same moves none of its edges.",
    ("job_id",),
    (
        Column("job_id", "bigint", "The job."),
        Column("run_id", "string", "The first of its last runs that told the same."),
        Column("created_at", "timestamp", "When it began."),
        Column("settled_at", "timestamp", "When it had told all that it told."),
        Column("declared", "boolean", "Whether the last of them is a description of the job."),
        Column(
            "edges",
            "array<struct<dataset_id:bigint,evidence:string>>",
            "How a watcher knows its edges; null where none told it.",
        ),
        Column("shapes", "array<bigint>", "The shapes that stand of it, in order."),
    ),
)

WORD = Table(
    "word",
    "Which words stand of each dataset; what only says them again changes nothing of it.",
    ("dataset_id",),
    (
        Column("dataset_id", "bigint", "The dataset."),
        *WORDS,
        Column(
            "schema_class", "int", "2 if a registry vouches for the schema, plus 1 if a writer."
        ),
    ),
)

STATES = (CONTENT, SHAPE, SAID, NAME, SPELLING, USE, HABIT, WORD)
