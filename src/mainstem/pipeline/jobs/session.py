"""The Spark session that a verb works in."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyspark
from pyspark.sql import SparkSession

from mainstem.pipeline.jobs.target import LEDGER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CATALOG = "mainstem"
"""The Iceberg catalog of a directory, where the user names none of theirs."""
NAMESPACE = "lineage"
EXTENSIONS = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
SETTINGS: Mapping[str, str] = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.extensions": EXTENSIONS,
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    # Events are long: ten thousand at once, Spark's default, stand several times in memory.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    # What lies in order already is folded in that order.
    "spark.sql.execution.replaceHashWithSortAgg": "true",
    # PySpark would note the line of each of thousands of expressions, at eight calls each.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
}
LOCALLY: Mapping[str, str] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    # A few partitions per core: thousands of tiny tasks cost more than they share out.
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
    # A worker that has parsed keeps its memory to the end; a new one is started in a moment.
    "spark.python.worker.reuse": "false",
}
"""What a session in this process needs beside those; nothing of it listens beyond loopback."""
INSTALLED_WORKERS = {"spark.python.daemon.module": "mainstem.pipeline.jobs.installed_workers"}
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
LOCAL_JAVA = "-XX:+UseSerialGC"
"""Collecting garbage beside the tasks takes cores from them, and here are few."""
BRIEF_JAVA = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
"""Code that runs for a minute is not worth compiling a second time: that was a third of the CPU.

Java then keeps 48 MB for what it compiles, which Spark's generated code fills within a minute, and
stops compiling; it needs as much room as ever.
"""
BRIEF_HEAP = "-XX:MetaspaceSize=256m -Xms1g -Xmn450m"
"""A heap that need not grow, and room for classes: half of the collections, none of the full ones.

It takes all that ``LOCALLY`` gives the driver, so it is for who asks for no other memory.
"""
DRIVER_MEMORY = "spark.driver.memory"
CLASS_PATH = "spark.driver.extraClassPath"
OTHERS_CLASS_PATH = (
    "HADOOP_CONF_DIR",
    "SPARK_CONF_DIR",
    "SPARK_DIST_CLASSPATH",
    "SPARK_HOME",
    "YARN_CONF_DIR",
)
"""Variables by which somebody's own Spark, settings or jars come into the JVM."""
QUIET_ARCHIVE = "-Xlog:cds*=off"
"""An archive that does not fit is not used, and nobody needs to hear of it."""
ROOM_FOR_ARCHIVE = 1_000_000_000
WORTH_KEEPING = 20_000
"""A build that has something to do loads thirty thousand classes, one that has nothing fifteen."""
KEEPING_JAVA = """#!/bin/sh
unfinished=
for word do
  case $word in -XX:ArchiveClassesAtExit=*) unfinished=${{word#*=}} ;; esac
done
[ "$unfinished" ] || exec {java} "$@"
exec 3>&2 2>/dev/null
(exec >/dev/null 2>&3 3>&-; exec {java} "$@")
code=$?
exec 3>&-
if [ $code = 0 ] && [ -e {wanted} ] && sync "$unfinished"; then
  kept={kept}-$(wc -c <"$unfinished" | tr -d ' ').jsa
  mv -f "$unfinished" "$kept" && for other in {directory}/*; do
    [ "$other" = "$kept" ] || rm -f "$other"
  done
fi
rm -f "$unfinished" {wanted}
exit $code
"""
"""A Java that puts an archive in its place once it is whole, after Python has ended.

Java crashes on an archive that was cut short, so the name tells the size. What it says of writing
one goes to its standard output, which Spark's logging does not use; whoever waits for the end of
ours need not wait for the archive. Spark's launcher runs through this script too.
"""


class ClassArchive(NamedTuple):
    """Classes as they lie in memory once they are loaded: half of what starting Spark costs.

    ``name`` changes with whatever the classes come from. A session that finds no archive leaves
    one only where it has a directory for its ``script``.
    """

    directory: Path
    name: str
    script: Path | None = None

    def found(self) -> Path | None:
        """The archive, if it is there and whole."""
        try:
            for file in self.directory.glob(f"{self.name}-*.jsa"):
                if file.stem == f"{self.name}-{file.stat().st_size}":
                    return file
        except OSError:
            return None
        return None

    def unfinished(self) -> Path:
        """What the JVM of this process writes."""
        return self.directory / f"{self.name}.{os.getpid()}"

    def wanted(self) -> Path:
        """What tells the script that the JVM of this process has loaded enough."""
        return self.directory / f"{self.name}.{os.getpid()}.wanted"


ASKED_FOR = (
    "functions",
    "org.apache.spark.sql.functions",
    "org.apache.spark.sql.classic.SparkSession",
    "PythonUtils",
    "PythonSQLUtils",
)
"""Java's classes that PySpark uses with most expressions."""


def is_submitted(environment: Mapping[str, str]) -> bool:
    """Whether ``spark-submit`` started this process, and with it the JVM and its settings."""
    return "PYSPARK_GATEWAY_PORT" in environment


def hadoop_catalog(directory: str) -> dict[str, str]:
    """The settings of an Iceberg catalog that lies in a directory."""
    prefix = f"spark.sql.catalog.{CATALOG}"
    return {
        prefix: "org.apache.iceberg.spark.SparkCatalog",
        f"{prefix}.type": "hadoop",
        f"{prefix}.warehouse": directory,
    }


def has_little_to_do(tables: str) -> bool:
    """Whether a build has ended in a directory of this machine: the next one reads what is new."""
    return (Path(tables) / LEDGER).exists()


def class_archive(
    directory: Path, java: Path, jars: Sequence[str], script: Path | None = None
) -> ClassArchive:
    """The archive below ``directory`` that fits this Java, this Spark and these jars."""
    files = [java.resolve(), *sorted((Path(pyspark.__file__).parent / "jars").iterdir())]
    facts = [(file, file.stat()) for file in (*files, *map(Path, jars))]
    told = "\n".join(f"{file} {fact.st_size} {fact.st_mtime_ns}" for file, fact in facts)
    return ClassArchive(directory, hashlib.sha256(told.encode()).hexdigest()[:16], script)


def start_session(
    name: str,
    *,
    master: str | None,
    jars: Sequence[str],
    settings: Mapping[str, str],
    java_options: Sequence[str] = (),
    brief: bool = False,
    archive: ClassArchive | None = None,
) -> SparkSession:
    """A session with Iceberg; the user's ``settings`` come last and win.

    ``java_options`` are for the driver; ``brief`` is for work of a minute or so. An ``archive`` is
    for a JVM of this process whose class path is ours alone.
    """
    builder: Any = SparkSession.builder.appName(name)
    submitted = is_submitted(os.environ)
    chosen = master or (None if submitted else settings.get("spark.master", "local[*]"))
    if chosen is not None:
        builder = builder.master(chosen)
    local: Mapping[str, str] = {}
    brought = {"spark.jars": ",".join(jars)} if jars else {}
    if chosen is not None and chosen.startswith("local"):
        local = LOCALLY
        java_options = (*java_options, LOCAL_JAVA, *([BRIEF_JAVA] if brief else []))
        if brief and DRIVER_MEMORY not in settings:
            java_options = (*java_options, BRIEF_HEAP)
        if jars and _class_path_is_ours(settings, os.environ):
            # Java archives no class that another loader than its own has loaded.
            brought = {CLASS_PATH: os.pathsep.join(jars), **INSTALLED_WORKERS}
            if archive is not None and JAVA_OPTIONS not in settings:
                java_options = (*java_options, *archive_options(archive))
    if java_options:
        brought[JAVA_OPTIONS] = " ".join(java_options)
    for key, value in {**SETTINGS, **local, **brought, **settings}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    _remember_classes(session)
    return session


def keep_classes(session: SparkSession, archive: ClassArchive) -> None:
    """Have the archive that the JVM writes at its end put in its place, if enough was loaded.

    Said before the session stops; what a JVM writes of which nobody said so is thrown away.
    """
    if os.environ.get("JAVA_HOME") != str(archive.script):
        return
    java: Any = session.sparkContext._jvm  # noqa: SLF001 - the one way to Java's own figures
    loading = java.java.lang.management.ManagementFactory.getClassLoadingMXBean()
    if loading.getLoadedClassCount() >= WORTH_KEEPING:
        with suppress(OSError):
            archive.wanted().touch()


def archive_options(archive: ClassArchive) -> list[str]:
    """What has the JVM use the archive, or write one where there is none."""
    found = archive.found()
    if found is not None:
        return [QUIET_ARCHIVE, shlex.quote(f"-XX:SharedArchiveFile={found}")]
    if archive.script is None or not _can_write(archive):
        return []
    java = archive.script / "bin" / "java"
    java.parent.mkdir(parents=True, exist_ok=True)
    java.write_text(
        KEEPING_JAVA.format(
            java=shlex.quote(f"{os.environ['JAVA_HOME']}/bin/java"),
            wanted=shlex.quote(str(archive.wanted())),
            kept=shlex.quote(str(archive.directory / archive.name)),
            directory=shlex.quote(str(archive.directory)),
        )
    )
    java.chmod(0o755)
    os.environ["JAVA_HOME"] = str(archive.script)
    return [QUIET_ARCHIVE, shlex.quote(f"-XX:ArchiveClassesAtExit={archive.unfinished()}")]


def _class_path_is_ours(settings: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Whether nobody else adds to it: Java would not archive, and their jars must stay."""
    return CLASS_PATH not in settings and not any(map(environment.get, OTHERS_CLASS_PATH))


def _can_write(archive: ClassArchive) -> bool:
    """Whether Java writes an archive there; one that cannot would not even start, or complain."""
    tried = archive.unfinished()
    try:
        archive.directory.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(archive.directory).free < ROOM_FOR_ARCHIVE:
            return False
        java = f"{os.environ['JAVA_HOME']}/bin/java"
        options = (LOCAL_JAVA, f"-XX:ArchiveClassesAtExit={tried}", "-version")
        ran = subprocess.run([java, *options], check=False, capture_output=True)  # noqa: S603 - the Java that Spark runs on
        return ran.returncode == 0 and tried.exists()
    except OSError:
        return False
    finally:
        with suppress(OSError):
            tried.unlink(missing_ok=True)


def _remember_classes(session: Any) -> None:
    """Look up once what PySpark asks Java for with every expression.

    Java looks for it in each of hundreds of jars, and under several packages.
    """
    java = session.sparkContext._jvm  # noqa: SLF001 - that is where PySpark looks
    for name in ASKED_FOR:
        setattr(java, name, _Remembering(getattr(java, name)))


class _Remembering:
    """A Java class whose members are looked up once: PySpark asks for ``col`` a thousand times."""

    def __init__(self, java_class: Any) -> None:
        self._java_class = java_class

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._java_class, name)
        setattr(self, name, member)
        return member

    def __call__(self, *arguments: Any) -> Any:
        return self._java_class(*arguments)
