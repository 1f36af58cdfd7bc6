"""Events in files: NDJSON, gzipped or not, or a column of Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.errors import BadRecipe
from mainstem.pipeline.jobs.filesystem import find_files
from mainstem.pipeline.jobs.sources.column import values

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET = ".parquet"


class FileSource:
    """Every file that a path, a directory or a glob stands for, looked at when it is asked.

    A file counts as read with its size and time: one that has grown is read again as a whole, and
    the events in it that are known count once.
    """

    def __init__(self, spark: SparkSession, path: str, column: str | None = None) -> None:
        self._spark = spark
        self._path = path
        self._column = column

    def fresh(self, consumed: dict[str, str]) -> tuple[DataFrame | None, dict[str, str]]:
        """The files that are new or not what they were."""
        files = find_files(self._spark, self._path)
        if files is None:
            raise BadRecipe("source", [f"{self._path} is neither file, directory nor glob"])
        found = {f"file:{path}": mark for path, mark in files.items()}
        fresh = {name: mark for name, mark in found.items() if consumed.get(name) != mark}
        if not fresh:
            return None, {}
        paths = sorted(name.removeprefix("file:") for name in fresh)
        columnar = [path for path in paths if path.endswith(PARQUET)]
        lines = [path for path in paths if not path.endswith(PARQUET)]
        parts = [self._lines(lines)] if lines else []
        parts += [self._parquet(columnar)] if columnar else []
        rows = parts[0] if len(parts) == 1 else parts[0].unionByName(parts[1])
        return rows, fresh

    def _lines(self, paths: list[str]) -> DataFrame:
        return self._spark.read.text([_escaped(path) for path in paths]).select(
            F.col("value").cast("binary").alias("value"),
            F.col("_metadata.file_path").alias("origin"),
        )

    def _parquet(self, paths: list[str]) -> DataFrame:
        rows = self._spark.read.parquet(*[_escaped(path) for path in paths])
        return values(rows, self._path, self._column, F.col("_metadata.file_path"))


def _escaped(path: str) -> str:
    """A path that stands for itself where globs are read."""
    return "".join(f"\\{each}" if each in "[]{}*?\\" else each for each in path)
