"""Records how real producers call one topic and one table, for the doctor's tests.

Run as ``python scripts/record_spellings.py``: starts PostgreSQL, Kafka, Connect and S3, lets
Debezium's own OpenLineage integration, OpenLineage's Spark agent, the watcher and
``mainstem.spark`` tell of the same orders, each with its brokers written in several ways, and
keeps what they told in ``tests/doctor/recorded``: one file per producer and way of writing, without
facets that the doctor does not read, some of which tell of the machine.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mainstem.lab.scenarios.connectors import Connectors
from mainstem.lab.services.artefacts import Artefact
from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.home import mainstem_home
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import KAFKA, SPARK, SPARK_AGENT, SPARK_LAKE, Library
from mainstem.lab.services.objects import ObjectStore
from mainstem.lab.services.openlineage import lineage_environment
from mainstem.lab.services.ports import HOST
from mainstem.lab.services.postgres import PostgresServer
from mainstem.lab.services.spark import spark_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mainstem.lab.services.service import Service

RECORDED = Path(__file__).parents[1] / "tests" / "doctor" / "recorded"
PROGRAM = Path(__file__).with_name("spellings_in_spark.py")
TOPIC = "shop.public.orders"
SINK = "orders-file"
PATIENCE = 90.0
LEFT_OUT = {
    "dataSource",
    "debezium_config",
    "documentation",
    "environment-properties",
    "icebergCommitReport",
    "icebergScanReport",
    "inputStatistics",
    "outputStatistics",
    "ownership",
    "processing_engine",
    "spark.logicalPlan",
    "spark_applicationDetails",
    "spark_jobDetails",
    "spark_properties",
    "storage",
    "tags",
    "version",
}
# The newest core that can be had from Maven Central, and the connector of its release.
DEBEZIUM = (
    Artefact.parse(
        "io.debezium:debezium-connector-postgres:tar.gz:plugin:3.5.0.Final",
        "cf32d3dbc52ad89ce4f539173f4fe7ca62485f64ce218d9f674bfd24be96cd21",
    ),
    Artefact.parse(
        "io.debezium:debezium-openlineage-core:tar.gz:libs:3.5.0.Final",
        "147fbd0eb0df1fa8233866ab6eb93adac3e88a7afd52ff255f5d2509b0f387af",
    ),
)
CREATE = (
    "CREATE TABLE orders (order_id bigint PRIMARY KEY, item text, price numeric(10, 2))",
    "INSERT INTO orders VALUES (1, 'saw', 12.50), (2, 'drill', 80)",
)
BROKERS = "openlineage.integration.dataset.kafka.bootstrap.servers"
HISTORY = "schema.history.internal.kafka.bootstrap.servers"


def debezium_ways(first: str, second: str) -> dict[str, dict[str, str]]:
    """The ways in which a Debezium connector may be told of its brokers and its database."""
    host, _, port = first.partition(":")
    return {
        "untold": {},
        "plain": {BROKERS: first},
        "list": {BROKERS: f"{second},{first}"},
        "history": {HISTORY: f"{first},{second}"},
        "listener": {BROKERS: f"PLAINTEXT://{first}"},
        "localhost": {BROKERS: f"localhost:{port}"},
        "no-port": {BROKERS: host},
        "no-database-port": {BROKERS: first, "database.port": ""},
    }


@contextmanager
def started(*services: Service) -> Iterator[None]:
    """Services that run for as long as the block does."""
    try:
        for each in services:
            each.start()
        yield
    finally:
        for each in reversed(services):
            each.stop()


def record_debezium(root: Path, kafka: KafkaBroker) -> None:
    """Let Debezium tell of one table in every way, and the watcher of the same connector."""
    postgres = PostgresServer(root / "postgres")
    postgres.port = 5432  # Debezium tells no port where none is set, and connects to this one
    worker = ConnectWorker(
        root / "connect", _library().ensure(KAFKA), [_plugins(root)], kafka.bootstrap
    )
    with started(postgres, worker):
        postgres.create_database("shop")
        postgres.execute(*CREATE, database="shop")
        connectors = Connectors(worker.url)
        ways = debezium_ways(kafka.bootstrap, kafka.second_bootstrap)
        for number, (way, settings) in enumerate(ways.items()):
            told = root / f"debezium-{way}.ndjson"
            source = f"shop-{way}"  # another name, or it would go on where the one before ended
            connectors.configure(source, _source(root, told, number, settings))
            _wait(lambda told=told: any(event.get("outputs") for event in _events(told)), told)
            if way == "plain":
                _watch(root, worker, kafka, connectors)
            connectors.delete(source)
            _wait(lambda told=told: _has_ended(_events(told)), told)
            _keep(root, told)
    postgres.discard()


def _source(root: Path, told: Path, number: int, settings: dict[str, str]) -> dict[str, str]:
    configuration = root / f"{told.stem}.yml"
    configuration.write_text(json.dumps({"transport": {"type": "file", "location": str(told)}}))
    config = {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": HOST,
        "database.port": "5432",
        "database.user": "postgres",
        "database.dbname": "shop",
        "topic.prefix": "shop",
        "table.include.list": "public.orders",
        "plugin.name": "pgoutput",
        "publication.autocreate.mode": "filtered",
        "slot.name": f"way_{number}",
        "slot.drop.on.stop": "true",
        "openlineage.integration.enabled": "true",
        "openlineage.integration.config.file.path": str(configuration),
        "transforms": "lineage",
        "transforms.lineage.type": "io.debezium.transforms.openlineage.OpenLineage",
    }
    return {key: value for key, value in (config | settings).items() if value}


def _watch(root: Path, worker: ConnectWorker, kafka: KafkaBroker, connectors: Connectors) -> None:
    """What the watcher tells of the connector and of a sink that reads its topic."""
    told, configuration = root / "watcher.ndjson", root / "watcher.yml"
    sink = {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector",
        "topics": TOPIC,
        "file": str(root / "orders.txt"),
    }
    connectors.configure(SINK, sink)
    connectors.wait_until_running(SINK)
    transport = {"type": "file", "log_file_path": str(told), "append": True}
    configuration.write_text(json.dumps({"transport": transport}))
    flags = ["--connect", worker.url, "--kafka", kafka.bootstrap, "--once"]
    command = [sys.executable, "-m", "mainstem", "watch", *flags]
    environment = lineage_environment(configuration)
    subprocess.run([*command, "--journal", root / "journal.db"], check=True, env=environment)
    connectors.delete(SINK)
    _keep(root, told)


def record_spark(root: Path, kafka: KafkaBroker) -> None:
    """Let Spark read the topic and a lake's table, told by OpenLineage's agent and by us."""
    library = _library()
    jars = os.pathsep.join(f"{library.ensure(name)}/*" for name in (SPARK, SPARK_LAKE, SPARK_AGENT))
    store = ObjectStore(root / "s3", ("warehouse",), secrets.token_hex(8))
    java = spark_environment(root / "java", os.environ)
    with started(store):
        settings = {
            "first": kafka.bootstrap,
            "second": kafka.second_bootstrap,
            "topic": TOPIC,
            "jars": jars,
            "warehouse": str(root / "warehouse"),
            "s3": store.url,
            "secret": store.secret_key,
        }
        for teller in ("agent", "mainstem"):
            folder = root / teller
            folder.mkdir()
            command = [sys.executable, PROGRAM, teller, folder, json.dumps(settings)]
            subprocess.run(command, check=True, env={**os.environ, **java})
            for told in sorted(folder.glob("*.ndjson")):
                _keep(root, told)


def _keep(root: Path, told: Path) -> None:
    """Put away what was told, by paths that every machine could have."""
    lines: list[str] = []
    for event in _events(told):
        text = json.dumps(_without(event), sort_keys=True)
        lines.append(text.replace(str(root), "/lab") + "\n")
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / told.name).write_text("".join(lines))
    print(f"{told.name}: {len(lines)} events", file=sys.stderr)


def _without(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _without(one) for key, one in told.items() if key not in LEFT_OUT}
    return [_without(one) for one in told] if isinstance(told, list) else told


def _events(told: Path) -> list[dict[str, Any]]:
    text = told.read_text() if told.exists() else ""
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def _has_ended(events: list[dict[str, Any]]) -> bool:
    return any(event["eventType"] == "COMPLETE" for event in events)


def _wait(reached: Callable[[], bool], told: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        if time.monotonic() > deadline:
            sys.exit(f"{told.stem} told only {_events(told)}")
        time.sleep(0.2)


def _library() -> Library:
    return Library(mainstem_home(os.environ))


def _plugins(root: Path) -> Path:
    """A directory with one plug-in: the connector, and the jars that make it tell its lineage."""
    fetched = Library(mainstem_home(os.environ), pins=lambda _: DEBEZIUM)
    plugin = root / "plugins" / "debezium"
    plugin.mkdir(parents=True)
    for jar in fetched.ensure("debezium-lineage").glob("*/*.jar"):
        if not (plugin / jar.name).exists():
            (plugin / jar.name).symlink_to(jar)
    return plugin.parent


def main() -> None:
    """Record all producers on one broker, so that their names can be held against each other."""
    with tempfile.TemporaryDirectory(prefix="spellings-") as folder:
        root = Path(folder)
        kafka = KafkaBroker(root / "kafka", _library().ensure(KAFKA))
        with started(kafka):
            record_debezium(root, kafka)
            record_spark(root, kafka)


if __name__ == "__main__":
    main()
