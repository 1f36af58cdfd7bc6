"""The Spark build beside DuckDB, on the events of a company of 20,000 jobs and 50,000 datasets.

Both read the same NDJSON with two cores, one after the other in processes of their own, and write
their tables; CPU is that of the whole process tree, memory its resident peak. ``--events`` takes
100000 (the default), 1000000 or 4000000: about 2.5 kB each, deleted afterwards. ``--more`` adds one
per cent new events and measures a second, incremental build, three times from the same tables: it
is over within a minute, in which a machine may be a fifth faster or slower than in the next.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from estate.duck import FOUR, Duck
from estate.meter import Cost, Laps, Peak
from estate.telling import write
from pyspark import SparkContext

from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.java import find_java
from mainstem.lab.services.library import SPARK, Library
from mainstem.lab.services.spark import spark_environment
from mainstem.names.identity import NO_ALIASES
from mainstem.pipeline.jobs.build import build
from mainstem.pipeline.jobs.session import (
    CATALOG,
    NAMESPACE,
    class_archive,
    hadoop_catalog,
    has_little_to_do,
    keep_classes,
    start_session,
)
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.target import IcebergTarget

SAME = {
    "names": "alias",
    "job versions": "job_version",
    "jobs": "job",
    "statistics": "daily_job_stats",
}
"""What DuckDB's steps are called by the tables they make, by the build's own names."""
TIMES = 3
NO_MEASURE = ("reachability", "starting Spark", "stopping Spark")
"""Steps that DuckDB does not have."""


def measure_duck(root: Path, outcome: Any) -> None:
    laps = Laps()
    with Peak() as peak:
        duck = Duck(root / "events", root / "duck")
        for step in duck.steps():
            with laps.step(step):
                duck.run(step)
        duck.close()
    outcome.put((laps.costs, peak.megabytes))


def measure_spark(root: Path, events: str, outcome: Any) -> None:
    """One build on two cores, into Iceberg tables below ``root``; the first leaves its classes."""
    java = find_java(os.environ)
    os.environ.update(spark_environment(root / "java", os.environ))
    library = Library(mainstem_home(os.environ))
    jars = sorted(map(str, library.ensure(SPARK).glob("*.jar")))
    archive = class_archive(root / "classes", java, jars, root / "keeping")
    laps = Laps()
    with Peak() as peak, laps.steps() as progress:

        def turn(step: str) -> None:
            progress(SAME.get(step, step))

        turn("starting Spark")
        spark = start_session(
            "bench",
            master="local[2]",
            jars=jars,
            settings=hadoop_catalog(f"{root}/tables"),
            brief=has_little_to_do(f"{root}/tables"),
            archive=archive,
        )
        source = FileSource(spark, str(root / events))
        target = IcebergTarget(spark, f"{CATALOG}.{NAMESPACE}", f"{root}/tables")
        build(spark, source, target, aliases=NO_ALIASES, progress=turn)
        keep_classes(spark, archive)
        turn("stopping Spark")
        spark.stop()
    end_java()
    outcome.put((laps.costs, peak.megabytes))


def end_java() -> None:
    """Wait for what the JVM writes at its end, so that the next measurement runs alone."""
    java: Any = SparkContext._gateway  # noqa: SLF001 - PySpark keeps the process there alone
    java.shutdown()
    java.proc.stdin.close()
    java.proc.wait()


def in_a_process(work: Any, *arguments: Any) -> tuple[dict[str, Cost], float]:
    context = multiprocessing.get_context("spawn")
    outcome = context.Queue()
    process = context.Process(target=work, args=(*arguments, outcome))
    process.start()
    while process.is_alive() and outcome.empty():
        time.sleep(0.1)
    if outcome.empty():
        sys.exit(f"{work.__name__} ended with code {process.exitcode}")
    told = outcome.get()
    process.join()
    return told


def total(costs: dict[str, Cost], steps: Any) -> Cost:
    found = [costs[step] for step in steps if step in costs]
    return Cost(sum(each.cpu for each in found), sum(each.wall for each in found))


def print_beside(duck: dict[str, Cost], spark: dict[str, Cost]) -> None:
    print(f"{'step':<22}{'DuckDB CPU':>11}{'wall':>8}{'Spark CPU':>12}{'wall':>8}{'ratio':>8}")
    for step in dict.fromkeys([*duck, *spark]):
        print_line(step, duck.get(step), spark.get(step))
    print_line("= those four", total(duck, FOUR), total(spark, FOUR))
    both = [step for step in spark if step not in NO_MEASURE]
    print_line("= all but reachability", total(duck, duck), total(spark, both))


def print_line(step: str, duck: Cost | None, spark: Cost | None) -> None:
    left = f"{duck.cpu:>11.2f}{duck.wall:>8.2f}" if duck else " " * 19
    right = f"{spark.cpu:>12.2f}{spark.wall:>8.2f}" if spark else ""
    ratio = f"{spark.cpu / duck.cpu:>7.1f}x" if duck and spark and duck.cpu else ""
    print(f"{step:<22}{left}{right}{ratio}")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--more", action="store_true", help="and an incremental build")
    parser.add_argument("--only", choices=("duck", "spark"), help="measure one of the two")
    parser.add_argument("--keep", type=Path, help="make the events here, or use those there")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON as well")
    return parser.parse_args()


def in_all(costs: dict[str, Cost]) -> float:
    """CPU seconds of a build, without Spark's start and end."""
    return total(costs, set(costs) - set(NO_MEASURE[1:])).cpu


def measure_more(root: Path, whole: float) -> list[dict[str, Cost]]:
    """Second builds of one per cent, each from the tables as the full build left them."""
    shutil.rmtree(root / "kept", ignore_errors=True)
    shutil.copytree(root / "tables", root / "kept")
    told: list[dict[str, Cost]] = []
    for _ in range(TIMES):
        shutil.rmtree(root / "tables")
        shutil.copytree(root / "kept", root / "tables")
        again, peak = in_a_process(measure_spark, root, "more")
        told.append(again)
        print(f"one per cent more: {in_all(again):.1f} CPU s, peak {peak:.0f} MB")
    middle = median(map(in_all, told))
    print(f"their median: {middle:.1f}, {middle / whole:.3f} of the full build's {whole:.1f}")
    return told


def main() -> None:
    asked = options()
    with tempfile.TemporaryDirectory(prefix="bench-pipeline-") as directory:
        root = asked.keep or Path(directory)
        if not (root / "events").exists():
            began = time.perf_counter()
            write(root, asked.events, asked.events // 100)
            print(f"{asked.events} events made in {time.perf_counter() - began:.1f} s")
        run(asked, root)


def run(asked: argparse.Namespace, root: Path) -> None:
    figures: dict[str, Any] = {}
    duck: dict[str, Cost] = {}
    spark: dict[str, Cost] = {}
    if asked.only != "spark":
        duck, peak = in_a_process(measure_duck, root)
        figures["duck"] = duck
        print(f"DuckDB: {total(duck, duck).cpu:.1f} CPU s, peak {peak:.0f} MB")
        shutil.rmtree(root / "duck")
    if asked.only != "duck":
        for made in ("tables", "classes", "keeping"):
            shutil.rmtree(root / made, ignore_errors=True)
        spark, peak = in_a_process(measure_spark, root, "events")
        figures["spark"] = spark
        print(f"Spark: {total(spark, spark).cpu:.1f} CPU s, peak {peak:.0f} MB")
    print_beside(duck, spark)
    if asked.more and spark:
        figures["more"] = measure_more(root, in_all(spark))
    if asked.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
