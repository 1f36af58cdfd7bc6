"""One Spark session for all tests of this folder, with Iceberg in a catalog of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from mainstem.lab.services.library import SPARK, Library
from mainstem.lab.services.spark import spark_environment
from mainstem.pipeline.jobs.session import hadoop_catalog, start_session

HERE = Path(__file__).parent
_open: list[SparkSession] = []


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """The JVM ends with the last test of this folder: the next folder's needs other jars.

    A fixture of the package's scope would end with all tests, since folders of tests are none.
    """
    if _open and (nextitem is None or HERE not in nextitem.path.parents):
        _end(_open.pop())


@pytest.fixture(scope="session")
def spark_jars(library: Library) -> list[str]:
    """What Spark needs for Iceberg and Kafka."""
    return sorted(map(str, library.ensure(SPARK).glob("*.jar")))


@pytest.fixture(scope="session")
def spark(spark_jars: list[str], tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    """The one session of this folder."""
    root = tmp_path_factory.mktemp("pipeline")
    os.environ.update(spark_environment(root / "java", os.environ))
    session = start_session(
        "tests",
        master="local[2]",
        jars=spark_jars,
        settings={
            **hadoop_catalog(f"{root}/warehouse"),
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.warehouse.dir": f"{root}/spark-warehouse",
        },
        brief=True,
    )
    _open.append(session)
    return session


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A directory for the tables of one test."""
    return str(tmp_path / "tables")


def _end(session: SparkSession) -> None:
    gateway: Any = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(60)
    SparkContext._gateway = SparkContext._jvm = None
