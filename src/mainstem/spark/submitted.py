"""Runs a job's file as ``__main__``, tracking every session that it makes.

Started by ``mainstem spark-submit``: ``python -m mainstem.spark.submitted JOB.py ARGUMENTS…``.
"""

from __future__ import annotations

import runpy
import sys
from functools import wraps
from pathlib import Path
from typing import Any

from mainstem.spark.guard import kept_from_the_job
from mainstem.spark.track import track


def main(job: str, *arguments: str) -> None:
    """Run the job; its exceptions and its exit code are this process's."""
    _track_sessions()
    sys.argv = [job, *arguments]
    # What Python itself puts first for a script; ours is the working directory.
    sys.path[0] = str(Path(job).resolve().parent)
    try:
        runpy.run_path(job, run_name="__main__")
    except SystemExit as leaving:
        # However the job raised it, by the way on which tracking hears the code.
        sys.exit(leaving.code)


def _track_sessions() -> None:
    from pyspark.sql import SparkSession  # noqa: PLC0415

    make = SparkSession.Builder.getOrCreate

    @wraps(make)
    def make_and_track(self: Any) -> Any:
        session = make(self)
        with kept_from_the_job("the start of tracking"):
            track(session)
        return session

    SparkSession.Builder.getOrCreate = make_and_track


if __name__ == "__main__":
    main(*sys.argv[1:])
