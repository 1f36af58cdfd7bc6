"""``mainstem ingest`` on a real worker, and beside DataHub's own source there."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from mainstem.cli.ingest import follow
from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.postgres import PostgresServer
from openlineage_schemas import assert_valid_event
from watch.datahub.comparing import told_by
from watch.datahub.test_comparison import DATAHUB_SOURCE, environment_with_datahub, golden
from watch.live import PATIENCE_SECONDS, Buttons

pytestmark = pytest.mark.lab

TOPIC = "ingest.public.ingest_orders"
TABLE = "shop.public.ingest_orders"
COPY = "shop.public.ingest_copy"


@pytest.fixture
def pipeline(connect: ConnectWorker, postgres_server: PostgresServer) -> Iterator[Buttons]:
    """A table that Debezium reads and another that it writes; both run when the test begins."""
    postgres_server.execute(
        "CREATE TABLE IF NOT EXISTS ingest_orders (id int PRIMARY KEY, what text)",
        "INSERT INTO ingest_orders VALUES (1, 'tea') ON CONFLICT DO NOTHING",
        database="shop",
    )
    server = {
        "database.hostname": postgres_server.host, "database.port": str(postgres_server.port),
        "database.user": "postgres", "database.password": "p4ssw0rd-canary",
        "database.dbname": "shop",
    }  # fmt: skip
    url = f"jdbc:postgresql://{postgres_server.host}:{postgres_server.port}/shop"
    buttons = Buttons(connect.url)
    buttons.put("ingest-source", {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector", **server,
        "plugin.name": "pgoutput", "slot.name": "ingest", "publication.name": "ingest",
        "topic.prefix": "ingest", "table.include.list": "public.ingest_orders", "tasks.max": "1",
    })  # fmt: skip
    buttons.put("ingest-sink", {
        "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", "connection.url": url,
        "connection.username": "postgres", "connection.password": "p4ssw0rd-canary",
        "topics": TOPIC, "collection.name.format": "ingest_copy", "insert.mode": "upsert",
        "primary.key.mode": "record_key", "schema.evolution": "basic", "tasks.max": "1",
    })  # fmt: skip
    yield buttons
    buttons.close()


class Recipe:
    """A recipe for the real worker, and what it says of it."""

    def __init__(self, folder: Path, url: str, sink: str, **more: Any) -> None:
        self.folder = folder
        self.told = folder / "told"
        self.config = {"connect_uri": url, "connector_patterns": {"allow": ["ingest-"]}, **more}
        self._tree = {
            "source": {"type": "kafka-connect", "config": self.config},
            "sink": {"type": sink, "config": {"filename": str(self.told)}},
        }

    def run(self) -> dict[str, Any]:
        """One ingestion; its report."""
        recipe, report = self.folder / "recipe.yml", self.folder / "report.json"
        recipe.write_text(yaml.safe_dump(self._tree))
        follow(recipe, journal=self.folder / "state.db", report_to=str(report))
        return json.loads(report.read_text())

    def run_until_both_were_seen(self) -> dict[str, Any]:
        """A connector's topics are seen once a record went through it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            report = self.run()
            states = [each["state"] for each in report["clusters"][0]["connectors"]]
            if states == ["RUNNING"] * 2 and report["totals"]["edges"] == 2:
                return report
            assert time.monotonic() < deadline, report
            time.sleep(0.5)


def test_a_real_pipeline_is_told_and_ends(
    pipeline: Buttons, connect: ConnectWorker, kafka: KafkaBroker, tmp_path: Path
) -> None:
    recipe = Recipe(tmp_path, connect.url, "file", kafka={"bootstrap": kafka.bootstrap})
    recipe.run_until_both_were_seen()
    pipeline.delete("ingest-sink")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not recipe.run()["totals"]["gone"]:
        assert time.monotonic() < deadline
    lines = recipe.told.read_bytes().splitlines()
    events = [assert_valid_event(line) for line in lines]
    said: dict[str, list[str]] = {}
    for event in events:
        said.setdefault(event["job"]["name"], []).append(event.get("eventType", "JOB"))
    for job in ("ingest-sink", f"ingest-sink:{TOPIC}"):
        assert said[job][-1] == "COMPLETE"
        assert said[job].count("COMPLETE") == 1
    assert said[f"ingest-source:{TABLE}"][0] == "START"
    assert "COMPLETE" not in said["ingest-source"]
    last = [event for event in events if event["job"]["name"] == f"ingest-sink:{TOPIC}"][-1]
    assert [each["name"] for each in last["outputs"]] == [COPY]
    assert b"p4ssw0rd" not in b"".join(lines)


@pytest.mark.soak
def test_datahubs_source_says_the_same_of_a_real_pipeline_where_it_is_right(
    pipeline: Buttons, connect: ConnectWorker, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """It takes a sink's table for the topic's name; the database knows which table was written."""
    recipe = Recipe(tmp_path, connect.url, "datahub-file")
    recipe.run_until_both_were_seen()
    config, proposals = tmp_path / "config.json", tmp_path / "datahub.json"
    config.write_text(json.dumps(recipe.config))
    python = environment_with_datahub(tmp_path, golden()["datahub"])
    subprocess.run(
        [python, DATAHUB_SOURCE, config, proposals],
        env={**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false"},
        check=True,
    )
    ours = told_by(json.loads(recipe.told.read_text()))
    theirs = told_by(json.loads(proposals.read_text()))
    assert ours["ingest-source"] == theirs["ingest-source"]
    assert len(ours["ingest-source"]) == 2
    job = f"urn:li:dataJob:(urn:li:dataFlow:(kafka-connect,ingest-sink,PROD),{TOPIC})"
    assert ours["ingest-sink"].keys() == theirs["ingest-sink"].keys()
    with psycopg.connect(postgres_server.dsn("shop")) as database:
        query = "SELECT table_name FROM information_schema.tables WHERE table_name LIKE '%ingest%'"
        tables = {name for (name,) in database.execute(query)}
    assert tables == {"ingest_orders", "ingest_copy"}
    assert table_of(ours["ingest-sink"][job]) == COPY
    assert table_of(theirs["ingest-sink"][job]) == f"shop.public.{TOPIC}"


def table_of(job: dict[str, Any]) -> str:
    (output,) = job["outputDatasets"]
    return output.split(",")[1]
