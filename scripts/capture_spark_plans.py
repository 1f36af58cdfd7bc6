"""Capture the golden plans: run every query of tests/spark_plans on a real Spark, keep its plan.

Needs the extras spark, lab and pipeline. What the plans mean stands beside them, written by hand;
run this after a change of Spark's version or of a query, and read the diff of what is computed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from mainstem.lab.services.home import mainstem_home  # noqa: E402
from mainstem.lab.services.kafka import KafkaBroker  # noqa: E402
from mainstem.lab.services.library import KAFKA, Library  # noqa: E402
from mainstem.lab.services.postgres import PostgresServer  # noqa: E402
from spark_plans.queries import AGENT, FOREACH_BATCH, STREAMS, WRITES  # noqa: E402
from spark_plans.session import (  # noqa: E402
    Bench,
    captured_start,
    captured_writes,
    make_tables,
    make_topics,
    start_session,
)
from spark_plans.stored import AGENTS_PLANS, PLANS, store  # noqa: E402


def capture_all(bench: Bench, only: set[str]) -> None:
    for name, run in WRITES.items():
        if only and name not in only:
            continue
        with captured_writes(bench.spark) as writes:
            run(bench)
        if len(writes) != 1:
            targets = [f"{write.mode} {write.target}" for write in writes]
            sys.exit(f"{name}: {len(writes)} writes instead of one: {targets}")
        store(name, bench, writes[0])
    for name, run in AGENT.items():
        if only and name not in only:
            continue
        with captured_writes(bench.spark) as writes:
            run(bench)
        store(name, bench, writes[0], folder=AGENTS_PLANS)
    for name, start in STREAMS.items():
        if only and name not in only:
            continue
        query = start(bench)
        store(name, bench, captured_start(query))
        query.stop()
    for name, start in FOREACH_BATCH.items():
        if only and name not in only:
            continue
        with captured_writes(bench.spark) as writes:
            query = start(bench)
            stream = captured_start(query)
            query.processAllAvailable()
            query.stop()
        store(name, bench, writes[0], stream)


def main() -> None:
    root = Path(tempfile.mkdtemp(prefix="plans-"))
    library = Library(mainstem_home(os.environ))
    broker = KafkaBroker(root / "kafka", library.ensure(KAFKA))
    database = PostgresServer(root / "postgres")
    broker.start()
    database.start()
    try:
        database.create_database("shop")
        make_topics(broker.bootstrap)
        url = f"jdbc:postgresql://{database.host}:{database.port}/shop"
        bench = Bench(start_session(library, root), root, broker.bootstrap, url)
        make_tables(bench.spark)
        capture_all(bench, set(sys.argv[1:]))
        bench.spark.stop()
        print(f"{len(list(PLANS.glob('*.json')))} plans in {PLANS.relative_to(TESTS.parent)}")
    finally:
        broker.stop()
        database.stop()
        database.discard()
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
