"""Runs a job's file as ``__main__``, tracking every session that it makes.

Started by ``mainstem spark-submit``:
``python -m mainstem.spark.submitted PY_FILES JOB.py ARGUMENTS…``, where the first word is what was
given as ``--py-files``, or empty.
"""

from __future__ import annotations

import runpy
import sys
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mainstem.spark.guard import kept_from_the_job
from mainstem.spark.track import track

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.machinery import ModuleSpec


def main(py_files: str, job: str, *arguments: str) -> None:
    """Run the job; its exceptions and its exit code are this process's."""
    _track_sessions()
    sys.argv = [job, *arguments]
    # What Python itself puts first for a script; ours is the working directory.
    sys.path[0] = str(Path(job).resolve().parent)
    _make_importable(py_files)
    try:
        runpy.run_path(job, run_name="__main__")
    except SystemExit as leaving:
        # However the job raised it, by the way on which tracking hears the code.
        sys.exit(leaving.code)


def _make_importable(py_files: str) -> None:
    """Let the job import these before it has a session, as under spark-submit."""
    given = (
        name.strip().removeprefix("file://").removeprefix("file:") for name in py_files.split(",")
    )
    here = [path for name in given if name and (path := Path(name).resolve()).exists()]
    single = {path.stem: path for path in here if path.suffix == ".py"}
    sys.meta_path.append(_SingleFiles(single))
    sys.path[1:1] = [str(path) for path in here if path.suffix != ".py"]


class _SingleFiles(MetaPathFinder):
    """Finds modules that are one file each, without what else lies beside it."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        file = self._files.get(fullname)
        return spec_from_file_location(fullname, file) if file else None


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
