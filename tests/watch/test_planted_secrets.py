"""500 planted secrets of 25 kinds, and every place where one could come out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx2
import orjson
import pytest
import yaml

from mainstem.outbox import Outbox
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.loop.admin import AdminPages
from mainstem.watch.loop.metrics import Metrics

JDBC_SINK = "io.confluent.connect.jdbc.JdbcSinkConnector"
DEBEZIUM = "io.debezium.connector.postgresql.PostgresConnector"
JDBC_SOURCE = "io.confluent.connect.jdbc.JdbcSourceConnector"
CAMEL = "org.apache.camel.kafkaconnector.aws2s3.CamelAws2s3SinkConnector"
HTTP = "io.confluent.connect.http.HttpSinkConnector"
ODD = "org.apache.kafka.connect.file.FileStreamSinkConnector"

Plant = Callable[[FakeConnect, str, str], None]


def in_config(key: str, text: str, connector_class: str = JDBC_SINK) -> Plant:
    """Plant the secret inside a config value."""

    def plant(connect: FakeConnect, name: str, secret: str) -> None:
        config = {"connector.class": connector_class, "topics": "orders", "topic.prefix": "p"}
        connect.create(name, {**config, key: text.format(secret)})

    return plant


def in_trace(text: str) -> Plant:
    """Plant the secret inside the trace of a task that failed."""

    def plant(connect: FakeConnect, name: str, secret: str) -> None:
        connect.create(name, {"connector.class": "FileStreamSink", "topics": "t", "file": "/f"})
        trace = f"org.example.Failure: no way: {text.format(secret)}\n\tat a.B.c(B.java:1)\n"
        connect.fail_task(name, 0, trace + f"Caused by: java.io.IOException: {text.format(secret)}")

    return plant


def in_closed_variable(connect: FakeConnect, name: str, _secret: str) -> None:
    """The test puts the secret into a variable of this name, which the recipe does not list."""
    place = f"${{env:{variable_of(name)}}}"
    connect.create(name, {"connector.class": "FileStreamSink", "topics": "t", "file": place})


def variable_of(name: str) -> str:
    return f"CLOSED_{name.replace('-', '_')}"


def in_offsets(connect: FakeConnect, name: str, secret: str) -> None:
    connector = connect.create(name, {"connector.class": "CamelSource", "topics": "t"})
    place = {"uri": f"aws2-s3://b?accessKey={secret}"}
    connector.offsets = [{"partition": place, "offset": {"key": secret}}]


JAAS = 'org.apache.kafka.common.security.plain.PlainLoginModule required password="{}";'
KINDS: tuple[Plant, ...] = (
    in_config("connection.password", "{}"),
    in_config("connection.url", "jdbc:postgresql://sa:{}@db:5432/shop"),
    in_config("connection.url", "jdbc:postgresql://db:5432/shop?user=sa&password={}"),
    in_config("connection.url", "jdbc:sqlserver://db:1433;databaseName=d;user=sa;password={}"),
    in_config("connection.url", "jdbc:oracle:thin:scott/{}@db:1521:orcl"),
    in_config("connection.url", "mongodb+srv://u:{}@cluster0.example.net/shop"),
    in_config("database.password", "{}", DEBEZIUM),
    in_config("value.converter.basic.auth.user.info", "user:{}"),
    in_config("value.converter.schema.registry.url", "http://user:{}@registry:8081"),
    in_config("producer.override.sasl.jaas.config", JAAS, DEBEZIUM),
    in_config("file", "{}", ODD),
    in_config("an.undeclared.key", "{}"),
    in_closed_variable,
    in_trace("jdbc:postgresql://u:{}@db/shop"),
    in_trace("Login failed;Password={};"),
    in_trace("Authorization: Bearer {}"),
    in_trace(JAAS),
    in_trace("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----"),
    in_trace('{{"secretAccessKey": "{}"}}'),
    in_offsets,
    in_config("connection.url", "jdbc:sqlserver://h:1433;password={{pa;{};}}}};z}};encrypt=true"),
    in_config("connection.url", 'jdbc:oracle:thin:scott/"p@{}"@//h:1521/SVC'),
    in_config("camel.sink.url", "aws2-s3://bk?accessKey=AK&secretKey=RAW(pa&{})", CAMEL),
    in_config("http.api.url", "https://api.acme.test/v1?code={}&key=Y", HTTP),
    in_config("query", "SELECT a FROM t WHERE p = 'it''s {}'", JDBC_SOURCE),
)
EACH = 20


def run(arguments: list[str], environment: dict[str, str]) -> bytes:
    """Everything that the program says."""
    ran = subprocess.run(
        [sys.executable, "-m", "mainstem", *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120,
    )  # fmt: skip
    return ran.stdout


@pytest.fixture
def planted(tmp_path: Path) -> tuple[FakeConnect, list[str]]:
    connect, secrets = FakeConnect(), list[str]()
    connect.plugins[ODD] = {"file": "PASSWORD"}
    for kind, plant in enumerate(KINDS):
        for number in range(EACH):
            secrets.append(f"s3cr3t{kind:02}x{number:02}Zq")
            plant(connect, f"c-{kind}-{number}", secrets[-1])
    return connect, secrets


def test_none_of_500_secrets_comes_out_anywhere(
    tmp_path: Path, planted: tuple[FakeConnect, list[str]]
) -> None:
    connect, secrets = planted
    assert len(set(secrets)) == 500
    password = "r3cipe-s3cr3t"
    (tmp_path / "opened").mkdir()
    (tmp_path / "opened" / "db.properties").write_text(f"password={secrets[0]}\nhost=h\n")
    environment = {
        **os.environ,
        "OPENLINEAGE__TRANSPORT__TYPE": "file",
        "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(tmp_path / "events.ndjson"),
        "OPENLINEAGE__TRANSPORT__APPEND": "true",
        "DB_PASSWORD": secrets[1],
        **{variable_of(name): each for name, each in zip(connect.connectors, secrets, strict=True)},
    }
    with FakeConnectServer(connect) as server:
        cluster = {
            "urls": [server.url], "username": "reader", "password": password, "traces": "whole",
            "providers": {"file": [str(tmp_path / "opened")], "env": ["DB_.*"]},
        }  # fmt: skip
        recipe = tmp_path / "recipe.yml"
        recipe.write_text(yaml.safe_dump({"clusters": [cluster]}))
        journal = ["--journal", str(tmp_path / "journal.db")]
        connect.connectors["c-0-1"].config = None  # type: ignore[assignment]
        said = run(["watch", "-c", str(recipe), "--once", "--verbose", *journal], environment)
        said += told_to_datahub(tmp_path, {"connect_uri": server.url}, environment)
    said += run(["status", "--json", *journal], environment)
    recipe.write_text(f"clusters: [{{urls: [u], password: {password}, bearer: [{password}]}}]")
    said += run(["watch", "-c", str(recipe), "--once", *journal], environment)
    said += (tmp_path / "events.ndjson").read_bytes()
    said += b"".join(file.read_bytes() for file in tmp_path.glob("journal.db*"))
    said += metrics_page(tmp_path / "journal.db")
    assert orjson.loads((tmp_path / "events.ndjson").read_bytes().splitlines()[0])
    assert b'"connector": "c-0-1"' in said
    assert [secret for secret in [*secrets, password] if secret.encode() in said] == []


def told_to_datahub(folder: Path, source: dict[str, str], environment: dict[str, str]) -> bytes:
    """What an ingestion prints, writes and remembers."""
    proposals, journal, recipe = (folder / each for each in ("datahub.json", "i.db", "i.yml"))
    sink = {"type": "datahub-file", "config": {"filename": str(proposals)}}
    parts = {"source": {"type": "kafka-connect", "config": source}, "sink": sink}
    recipe.write_text(yaml.safe_dump(parts))
    said = run(["ingest", "-c", str(recipe), "--json", "--journal", str(journal)], environment)
    told = orjson.loads(proposals.read_bytes())
    assert any("connection.url" in str(each["aspect"]) for each in told)
    return said + proposals.read_bytes() + journal.read_bytes()


def metrics_page(journal: Path) -> bytes:
    box = Outbox.open(journal)
    metrics = Metrics(box)
    status, _, page = AdminPages(metrics, box, lambda: ()).answer("/metrics")
    box.close()
    assert status == httpx2.codes.OK
    return page
