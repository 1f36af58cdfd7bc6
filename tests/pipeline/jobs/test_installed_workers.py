"""Spark's Python workers use the PySpark that is installed, not the archive that Spark brings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from mainstem.pipeline.jobs.installed_workers import without_archives

PATIENCE_SECONDS = 120
SESSION = """
import os, sys
from pathlib import Path
from mainstem.lab.services.spark import spark_environment
from mainstem.pipeline.jobs.session import start_session

os.environ.update(spark_environment(Path(sys.argv[1]), os.environ))
spark = start_session("workers", master="local[1]", jars=sys.argv[2:], settings={})

def where(_):
    import py4j, pyspark
    return [pyspark.__file__, py4j.__file__]

print("FOUND", *spark.sparkContext.parallelize([1], 1).flatMap(where).collect())
spark.stop()
"""


def test_only_sparks_archives_are_left_out() -> None:
    spark = ["/spark/python/lib/pyspark.zip", "/spark/python/lib/py4j-0.10.9.9-src.zip"]
    others = ["/job", "/spark/jars/spark-core.jar", "/lib/python311.zip", "/lib/pyspark"]
    assert without_archives([others[0], *spark, *others[1:]]) == others


@pytest.mark.spark
@pytest.mark.slow
def test_workers_use_what_is_installed(tmp_path: Path, spark_jars: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SESSION, str(tmp_path), *spark_jars],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        env=os.environ,
    )
    [found] = [line for line in ran.stdout.splitlines() if line.startswith("FOUND")] or [ran.stderr]
    assert found.split()[1] == pyspark.__file__
    assert ".zip" not in found
