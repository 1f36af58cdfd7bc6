"""A command must not pay for what it does not use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer

HEAVY = (
    "alembic", "confluent_kafka", "fastapi", "httpx2", "jgo", "openlineage", "orjson", "pandas",
    "psycopg", "pyarrow", "pydantic", "pyspark", "regex", "requests", "rustworkx", "sqlalchemy",
    "sqlglot", "structlog", "uvicorn", "yaml",
)  # fmt: skip

PROGRAM = """
import sys
from mainstem.cli.main import app
try:
    app({arguments!r})
except SystemExit:
    pass
print("LOADED", sorted({{name.partition(".")[0] for name in sys.modules}} & set({heavy!r})))
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_loads_no_heavy_module(arguments: list[str]) -> None:
    program = PROGRAM.format(arguments=arguments, heavy=HEAVY)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "LOADED []"


def test_an_ingestion_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    heavy = (
        "asyncio", "confluent_kafka", "fastavro", "httpx2", "openlineage", "proto_schema_parser",
        "pygments", "referencing", "requests", "sqlglot", "structlog",
    )  # fmt: skip
    connect, recipe = FakeConnect(), tmp_path / "recipe.yml"
    connect.create("out", {"connector.class": "FileStreamSink", "file": "/f", "topics": "t"})
    with FakeConnectServer(connect) as server:
        source = {"type": "kafka-connect", "config": {"connect_uri": server.url}}
        sink = {"type": "datahub-file", "config": {"filename": str(tmp_path / "told.json")}}
        recipe.write_text(json.dumps({"source": source, "sink": sink}))
        arguments = ["ingest", "-c", str(recipe), "--journal", str(tmp_path / "state.db")]
        program = PROGRAM.format(arguments=arguments, heavy=heavy)
        ran = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
    assert "1 seen: 1 resolved" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "LOADED []"
