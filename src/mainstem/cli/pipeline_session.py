"""A Spark session for the verbs of ``mainstem pipeline``: Java, jars and settings found."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mainstem.errors import BadRecipe

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mainstem.pipeline.jobs.session import ClassArchive
    from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget
    from mainstem.spark import Tracker

NEEDED = ("pyspark", "jgo")
"""What the extra brings; a Java of its own only matters where the machine has none."""
BUILD = "build"
OPENLINEAGE = "OPENLINEAGE_"
SWITCHED_OFF = "OPENLINEAGE_DISABLED"
LOGGING = """rootLogger.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
"""
"""What Spark says while it starts is nothing that people who build tables can use."""


@Parameter(name="*")
@dataclass(frozen=True)
class Place:
    """Where the tables lie, and the Spark that works on them."""

    tables: Annotated[
        str,
        Parameter(
            help="The directory of the tables (any file system that Spark knows); with --catalog"
            " the directory of what was consumed alone."
        ),
    ] = "lineage"
    catalog: Annotated[
        str | None,
        Parameter(
            help="CATALOG.NAMESPACE of tables in an Iceberg catalog of your own, configured by"
            " --conf spark.sql.catalog.CATALOG…; by default a Hadoop catalog in the directory."
        ),
    ] = None
    parquet: Annotated[
        bool, Parameter(negative="", help="Plain Parquet directories instead of Iceberg.")
    ] = False
    master: Annotated[
        str | None,
        Parameter(help="Where Spark runs: local[2], spark://HOST:7077, yarn, …; this machine."),
    ] = None
    conf: Annotated[
        tuple[str, ...],
        Parameter(help="A setting of Spark's, as spark.KEY=VALUE; may be said again."),
    ] = ()

    def settings(self) -> dict[str, str]:
        """The user's settings, checked.

        Raises:
            BadRecipe: with every setting that is none.
        """
        mistakes = [
            f"--conf is {each!r}; it must be spark.KEY=VALUE"
            for each in self.conf
            if not each.startswith("spark.") or "=" not in each
        ]
        if self.catalog is not None and self.parquet:
            mistakes.append("--catalog and --parquet exclude each other")
        if self.catalog is not None and "." not in self.catalog:
            mistakes.append(f"--catalog is {self.catalog!r}; it must be CATALOG.NAMESPACE")
        if mistakes:
            raise BadRecipe("mainstem pipeline", mistakes)
        return {key: value for key, _, value in (each.partition("=") for each in self.conf)}


@contextmanager
def session(place: Place, verb: str, *, brief: bool = False) -> Generator[SparkSession]:
    """A session while the block runs; its own lineage is told where OpenLineage is configured.

    ``brief`` is for a verb that is over in a minute, as a build is that has little to do.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        needs = f"this needs {' and '.join(missing)}: pip install 'mainstem[pipeline]'"
        raise BadRecipe("mainstem pipeline", [needs])
    from mainstem.pipeline.jobs.session import (
        hadoop_catalog,
        has_little_to_do,
        is_submitted,
        keep_classes,
        start_session,
    )

    settings = place.settings()
    if place.catalog is None and not place.parquet:
        settings = {**hadoop_catalog(_absolute(place.tables)), **settings}
    with TemporaryDirectory(prefix="mainstem-java-") as java:
        ours = not is_submitted(os.environ)
        jars, archive = _prepared(Path(java), settings, verb) if ours else ([], None)
        spark = start_session(
            f"mainstem-pipeline-{verb}",
            master=place.master,
            jars=jars,
            settings=settings,
            java_options=[_quiet(Path(java))] if ours else [],
            brief=brief or (verb == BUILD and has_little_to_do(_absolute(place.tables))),
            archive=archive,
        )
        tracker = _tracked(spark)
        try:
            yield spark
            if archive is not None:
                keep_classes(spark, archive)
        finally:
            if tracker is not None:
                tracker.stop()
            spark.stop()


def target(spark: SparkSession, place: Place) -> IcebergTarget | ParquetTarget:
    """The tables as the place says."""
    from mainstem.pipeline.jobs.session import CATALOG, NAMESPACE
    from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget

    directory = _absolute(place.tables)
    if place.parquet:
        return ParquetTarget(spark, directory)
    return IcebergTarget(spark, place.catalog or f"{CATALOG}.{NAMESPACE}", directory)


def built(spark: SparkSession, place: Place) -> IcebergTarget | ParquetTarget:
    """The tables of a place where some build has ended.

    Raises:
        BadRecipe: when none has.
    """
    tables = target(spark, place)
    if not tables.ledger.builds:
        here = (
            f"--tables is {place.tables!r}, where no build has ended; run mainstem pipeline build"
        )
        raise BadRecipe("mainstem pipeline", [here])
    return tables


def _absolute(directory: str) -> str:
    return directory if ":" in directory else str(Path(directory).absolute())


def _prepared(
    scratch: Path, settings: dict[str, str], verb: str
) -> tuple[list[str], ClassArchive | None]:
    """Lets Spark find a Java, and answers the jars that it needs and their classes' archive.

    Jars are downloaded once; only a build, which loads the most classes, leaves an archive.
    """
    from mainstem.lab.services.home import mainstem_home
    from mainstem.lab.services.java import find_java
    from mainstem.lab.services.library import SPARK, Library
    from mainstem.lab.services.spark import spark_environment
    from mainstem.pipeline.jobs.session import class_archive

    java = find_java(os.environ)
    os.environ.update(spark_environment(scratch, os.environ))
    if "spark.jars" in settings or "spark.jars.packages" in settings:
        return [], None
    home = mainstem_home(os.environ)
    jars = sorted(map(str, Library(home).ensure(SPARK).glob("*.jar")))
    script = scratch / "keeping" if verb == BUILD else None
    return jars, class_archive(home / "classes", java, jars, script)


def _quiet(java: Path) -> str:
    """The option that keeps Spark's logging to what went wrong."""
    logging = java / "log4j2.properties"
    logging.write_text(LOGGING)
    return f"-Dlog4j2.configurationFile=file:{logging}"


def _tracked(spark: SparkSession) -> Tracker | None:
    """The session's own lineage, where somebody configured a place for it."""
    told = any(key.startswith(OPENLINEAGE) for key in os.environ if key != SWITCHED_OFF)
    if not told:
        return None
    from mainstem.spark import track

    return track(spark)
