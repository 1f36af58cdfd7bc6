"""The pipeline on a standalone cluster, from a packed environment, with an executor killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import mainstem
from mainstem.lab.services.spark import spark_environment
from mainstem.names.identity import NO_ALIASES
from mainstem.pipeline.jobs.build import build
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.target import ParquetTarget
from pipeline.cluster import HOME, PATIENCE_SECONDS, Cluster, cluster
from pipeline.contents import contents
from pipeline.logs import disordered, put

pytestmark = [pytest.mark.spark, pytest.mark.soak]
COPIES = 40


def packed(place: Path) -> Path:
    """An environment that executors unpack: what they import, and an interpreter that finds it."""
    interpreter = place / "python"
    interpreter.write_text(
        f'#!/bin/sh\nexport PYTHONPATH="$PWD/environment/lib"\nexec {sys.executable} "$@"\n'
    )
    interpreter.chmod(0o755)
    archive = place / "environment.tar.gz"
    with tarfile.open(archive, "w:gz") as out:
        out.add(interpreter, "bin/python")
        out.add(Path(mainstem.__file__).parent, "lib/mainstem", filter=_sources)
    return archive


def _sources(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in info.name or "/static" in info.name else info


def submitted(
    where: Cluster, archive: Path, jars: list[str], environment: dict[str, str], *words: str
) -> subprocess.Popen[bytes]:
    """The verb under spark-submit, as the documentation says it."""
    main = Path(mainstem.__file__).with_name("__main__.py")
    options = ["--master", where.master, "--archives", f"{archive}#environment"]
    settings = [
        "--conf",
        "spark.driver.bindAddress=127.0.0.1",
        "--conf",
        "spark.task.maxFailures=8",
    ]
    return subprocess.Popen(
        [HOME / "bin/spark-submit", *options, *settings, "--jars", ",".join(jars), main, *words],
        env={
            **environment,
            "SPARK_HOME": str(HOME),
            "PYSPARK_PYTHON": "./environment/bin/python",
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_a_killed_executor_changes_nothing(
    spark: SparkSession, spark_jars: list[str], tmp_path: Path
) -> None:
    lines = disordered()
    for copy in range(COPIES):
        put(lines, tmp_path / "events", copy * 4, 4)
    environment = {**os.environ, **spark_environment(tmp_path / "java", os.environ)}
    words = ("pipeline", "build", str(tmp_path / "events"), "--parquet", "--json")
    with cluster(tmp_path, environment, workers=2) as where:
        tables = tmp_path / "tables"
        driver = submitted(
            where, packed(tmp_path), spark_jars, environment, *words, "--tables", str(tables)
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(where.executors()) < 2 or not any(tables.glob("*/part1")):
            assert driver.poll() is None, driver.communicate()[0].decode()
            assert time.monotonic() < deadline, "no executor, or nothing written"
            time.sleep(0.1)
        where.executors()[0].kill()
        out, _ = driver.communicate(timeout=600)
        assert driver.returncode == 0, out.decode()
    scratch = ParquetTarget(spark, str(tmp_path / "scratch"))
    build(spark, FileSource(spark, str(tmp_path / "events")), scratch, aliases=NO_ALIASES)
    expected, found = contents(scratch), contents(ParquetTarget(spark, str(tmp_path / "tables")))
    assert expected["event"]
    for table, rows in expected.items():
        assert found[table] == rows, table
