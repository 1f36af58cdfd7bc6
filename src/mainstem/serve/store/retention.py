"""Forgetting: old events and old runs, but never what the current graph rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.sql.connection import Connection

# A job's latest run and the one that its edges come from; both may be years old.
_CURRENT = """SELECT latest_run FROM job WHERE latest_run IS NOT NULL
UNION SELECT current_run FROM job WHERE current_run IS NOT NULL"""
# The runs that made a schema version which is some dataset's current one.
_WRITERS = """SELECT dataset_version.run_id FROM dataset_version
JOIN dataset ON dataset.id = dataset_version.dataset_id
AND dataset.version = dataset_version.version WHERE dataset_version.run_id IS NOT NULL"""


def keep_needed_events(connection: Connection, before: int) -> int:
    """Delete run events from before an instant; answers how many.

    Declarations of jobs and datasets stay: nothing repeats them. So do the events of every run
    that the current graph or a current schema comes from, and a rebuild makes both again.
    """
    condition = (
        "time < ? AND type NOT IN ('JOB', 'DATASET')"
        f" AND run_id NOT IN ({_CURRENT}) AND run_id NOT IN ({_WRITERS})"
    )
    count = connection.rows(f"SELECT count(*) FROM event WHERE {condition}", [before])  # noqa: S608
    connection.run(f"DELETE FROM event WHERE {condition}", [before])  # noqa: S608
    return count[0][0]


def forget_runs(connection: Connection, before: int) -> int:
    """Delete runs that were last spoken of before an instant; answers how many."""
    condition = f"updated < ? AND declared = 0 AND id NOT IN ({_CURRENT})"
    count = connection.rows(f"SELECT count(*) FROM run WHERE {condition}", [before])  # noqa: S608
    connection.run(f"DELETE FROM run WHERE {condition}", [before])  # noqa: S608
    return count[0][0]
