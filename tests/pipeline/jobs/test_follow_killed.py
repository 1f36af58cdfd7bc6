"""``mainstem pipeline follow`` is killed with kill -9, twice, and nothing is lost or repeated."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mainstem.names.identity import NO_ALIASES
from mainstem.pipeline.jobs.build import build
from mainstem.pipeline.jobs.session import NAMESPACE
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget
from pipeline.contents import contents
from pipeline.logs import disordered, put

pytestmark = [pytest.mark.spark, pytest.mark.slow]
FILES, FIRST_FILES = 3, 2
PATIENCE_SECONDS = 240


class Following:
    """The verb in a process group of its own, and what it has told."""

    def __init__(self, source: Path, tables: Path, *more: str) -> None:
        self._out = tables.parent / f"told-{time.monotonic_ns()}"
        command = [sys.executable, "-m", "mainstem", "pipeline", "follow", str(source)]
        options = ["--tables", str(tables), "--master", "local[2]", "--every", "0", "--at-once"]
        settings = ["1", "--compact-every", "2", "--conf", "spark.sql.shuffle.partitions=1"]
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                [*command, *options, *settings, "--json", *more],
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def batches(self) -> list[int]:
        lines = self._out.read_text().splitlines()
        return [json.loads(line)["batch"] for line in lines if line.startswith('{"version"')]

    def wait_for_batch(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.batches():
            assert self.process.poll() is None, self._out.read_text()
            assert time.monotonic() < deadline, self._out.read_text()
            time.sleep(0.1)

    def kill(self, *, with_its_java: bool) -> None:
        if with_its_java:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()
        self._wait_for_java()

    def end(self) -> None:
        code = self.process.wait(PATIENCE_SECONDS)
        assert code == 0, self._out.read_text()

    def _wait_for_java(self) -> None:
        """Its Java notices by itself that nobody speaks to it any more."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while _is_alive(self.process.pid):
            assert time.monotonic() < deadline, "its Java outlived it"
            time.sleep(0.1)


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_kill_9_at_any_batch_loses_and_repeats_nothing(spark: SparkSession, tmp_path: Path) -> None:
    lines, source, tables = disordered(), tmp_path / "events", tmp_path / "tables"
    half = len(lines) // 2
    put(lines[:half], source, 0, FIRST_FILES)
    told: list[int] = []
    for with_its_java in (False, True):
        following = Following(source, tables)
        following.wait_for_batch()
        # It is in the midst of the next batch, or waits for one: both must do.
        following.kill(with_its_java=with_its_java)
        told += following.batches()
    put(lines[half:], source, FIRST_FILES, FILES - FIRST_FILES)
    last = Following(source, tables, "--once")
    last.end()
    told += last.batches()
    assert told[-1] == FILES - 1
    spark.conf.set("spark.sql.catalog.killed", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.killed.type", "hadoop")
    spark.conf.set("spark.sql.catalog.killed.warehouse", str(tables))
    followed = IcebergTarget(spark, f"killed.{NAMESPACE}", str(tables))
    scratch = ParquetTarget(spark, str(tmp_path / "scratch"))
    build(spark, FileSource(spark, str(source)), scratch, aliases=NO_ALIASES)
    expected, found = contents(scratch), contents(followed)
    assert len(expected["event"]) > half / 2
    for table, rows in expected.items():
        assert found[table] == rows, table
