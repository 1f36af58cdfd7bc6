"""Which clusters each recipe named that keeps its state here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection


def clusters_left(
    connection: sqlite3.Connection, recipe: str, clusters: Collection[str]
) -> tuple[str, ...]:
    """Those that the recipe named before and does not now, nor any other recipe."""
    rows = connection.execute(
        "SELECT cluster FROM recipe_cluster WHERE recipe = ?"
        " AND cluster NOT IN (SELECT value FROM json_each(?))"
        " AND cluster NOT IN (SELECT cluster FROM recipe_cluster WHERE recipe <> ?)"
        " ORDER BY cluster",
        (recipe, orjson.dumps(list(clusters)).decode(), recipe),
    )
    return tuple(cluster for (cluster,) in rows)


def note_clusters(connection: sqlite3.Connection, recipe: str, clusters: Collection[str]) -> None:
    """Note what the recipe names; one that left is noted until nothing told of it stands."""
    connection.executemany(
        "INSERT OR IGNORE INTO recipe_cluster VALUES (?, ?)",
        [(recipe, cluster) for cluster in clusters],
    )
    connection.execute(
        "DELETE FROM recipe_cluster WHERE recipe = ?"
        " AND cluster NOT IN (SELECT value FROM json_each(?))"
        " AND cluster NOT IN (SELECT cluster FROM watch_connector)"
        " AND cluster NOT IN (SELECT cluster FROM datahub_entity)",
        (recipe, orjson.dumps(list(clusters)).decode()),
    )
