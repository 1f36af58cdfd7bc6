"""The journal's own tables, beside the outbox's in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.outbox.migrations import Migration

ROOM = "journal"

_FIRST: Migration = (
    """CREATE TABLE watch_connector (
        cluster TEXT NOT NULL,
        connector TEXT NOT NULL,
        memory BLOB NOT NULL,
        last_event BLOB,
        summary BLOB NOT NULL,
        PRIMARY KEY (cluster, connector)
    ) WITHOUT ROWID""",
    """CREATE TABLE watch_cluster (
        cluster TEXT PRIMARY KEY,
        looked_at TEXT NOT NULL,
        last_success TEXT,
        trouble TEXT,
        connectors INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID""",
)

_REPORTED: Migration = (
    """CREATE TABLE datahub_entity (
        cluster TEXT NOT NULL,
        connector TEXT NOT NULL,
        urn TEXT NOT NULL,
        PRIMARY KEY (cluster, connector, urn)
    ) WITHOUT ROWID""",
)

_SEEN_FOR_DATAHUB: Migration = (
    """CREATE TABLE datahub_connector (
        cluster TEXT NOT NULL,
        connector TEXT NOT NULL,
        summary BLOB NOT NULL,
        PRIMARY KEY (cluster, connector)
    ) WITHOUT ROWID""",
)

_TOPICS_AND_CHILDREN: Migration = (
    """CREATE TABLE watch_topics (
        cluster TEXT NOT NULL,
        connector TEXT NOT NULL,
        config TEXT NOT NULL,
        topics BLOB NOT NULL,
        PRIMARY KEY (cluster, connector)
    ) WITHOUT ROWID""",
    "ALTER TABLE watch_connector ADD COLUMN children BLOB",
)

_RECIPES: Migration = (
    """CREATE TABLE recipe_cluster (
        recipe TEXT NOT NULL,
        cluster TEXT NOT NULL,
        PRIMARY KEY (recipe, cluster)
    ) WITHOUT ROWID""",
)

MIGRATIONS: tuple[Migration, ...] = (
    _FIRST,
    _REPORTED,
    _SEEN_FOR_DATAHUB,
    _TOPICS_AND_CHILDREN,
    _RECIPES,
)
